/** Reading what every form sends beside its fields. */
import { AuditEntryId } from "@sov/core/common"
import { Effect, Schema } from "effect"
import { PageRefused } from "../guard/PageRefused.ts"
import type { PageRequest } from "../guard/PageRequest.ts"
import { fingerprint } from "../pages/forms.ts"

const isFormId = Schema.is(AuditEntryId)

/** The id under which the form acts once, see `runOnce`. Refused where it was made without its page. */
export const readFormId = ({ form }: Pick<PageRequest, "form">): Effect.Effect<AuditEntryId, PageRefused> => {
  const id = form.get("form_id")
  return isFormId(id)
    ? Effect.succeed(id)
    : Effect.fail(new PageRefused({ status: 400, words: "The form is incomplete. Reload its page." }))
}

/** Whether what is there now, as text, is what the form has shown; for `editUnchanged`. */
export const isAsSeen = ({ form }: Pick<PageRequest, "form">, now: string): boolean =>
  form.get("seen") === fingerprint(now)

/** A line of text as it was typed, without space around it; empty where the form has no such field. */
export const readText = ({ form }: Pick<PageRequest, "form">, name: string): string => (form.get(name) ?? "").trim()

/** The lines that were typed, without space around them and without empty ones. */
export const splitLines = (text: string): ReadonlyArray<string> =>
  text.split(/\r\n|\r|\n/).map((line) => line.trim()).filter((line) => line !== "")

/** The same, each once. */
export const distinctLines = (text: string): ReadonlyArray<string> => [...new Set(splitLines(text))]
