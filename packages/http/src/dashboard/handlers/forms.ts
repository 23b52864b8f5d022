/** Reading what every form sends beside its fields. */
import { AuditEntryId } from "@sov/core/common"
import { Effect, Schema } from "effect"
import { noSuchPage, PageRefused } from "../guard/PageRefused.ts"
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

/** What a form chooses, such as a role. Refused where it is no such value. */
export const readChoice = <A extends string>(
  { form }: Pick<PageRequest, "form">,
  name: string,
  schema: Schema.Schema<A>
): Effect.Effect<A, PageRefused> => {
  const value = form.get(name)
  return Schema.is(schema)(value) ? Effect.succeed(value) : Effect.fail(new PageRefused({ status: 400, words: null }))
}

/** The id that the path names. Refused as an unknown page where it cannot be one. */
export const readParam = <A extends string>(
  { params }: Pick<PageRequest, "params">,
  schema: Schema.Schema<A>,
  name = "id"
): Effect.Effect<A, PageRefused> => {
  const value = params[name]?.toLowerCase()
  return Schema.is(schema)(value) ? Effect.succeed(value) : Effect.fail(noSuchPage)
}

/** A line of text as it was typed, without space around it; empty where the form has no such field. */
export const readText = ({ form }: Pick<PageRequest, "form">, name: string): string => (form.get(name) ?? "").trim()

/** The texts of several fields: without space around them, or (`trim: false`) exactly as typed. */
export const readTexts = <Field extends string>(
  { form }: Pick<PageRequest, "form">,
  fields: ReadonlyArray<Field>,
  { trim = true }: { readonly trim?: boolean } = {}
): { readonly [field in Field]: string } =>
  Object.fromEntries(fields.map((field) => {
    const text = form.get(field) ?? ""
    return [field, trim ? text.trim() : text]
  })) as { [field in Field]: string }

/** The lines that were typed, without space around them and without empty ones. */
export const splitLines = (text: string): ReadonlyArray<string> =>
  text.split(/\r\n|\r|\n/).map((line) => line.trim()).filter((line) => line !== "")

/** The same, each once. */
export const distinctLines = (text: string): ReadonlyArray<string> => [...new Set(splitLines(text))]
