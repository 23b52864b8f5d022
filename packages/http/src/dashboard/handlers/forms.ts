/** Reads the values that every form sends in addition to its fields. */
import { AuditEntryId } from "@sov/core/common"
import { Effect, Schema } from "effect"
import { noSuchPage, PageRefused } from "../guard/PageRefused.ts"
import type { PageRequest } from "../guard/PageRequest.ts"
import { fingerprint } from "../pages/forms.ts"

const isFormId = Schema.is(AuditEntryId)

/** The id that lets a form take effect only once (see `runOnce`). Refuses a form that did not come from its page. */
export const readFormId = ({ form }: Pick<PageRequest, "form">): Effect.Effect<AuditEntryId, PageRefused> => {
  const id = form.get("form_id")
  return isFormId(id)
    ? Effect.succeed(id)
    : Effect.fail(new PageRefused({ status: 400, words: "The form is incomplete. Reload its page." }))
}

/** Whether the object that the form edits, as text, is still as the form showed it; for `editUnchanged`. */
export const isAsSeen = ({ form }: Pick<PageRequest, "form">, now: string): boolean =>
  form.get("seen") === fingerprint(now)

/** The chosen value of a field, such as a role. Refuses a value that the schema does not allow. */
export const readChoice = <A extends string>(
  { form }: Pick<PageRequest, "form">,
  name: string,
  schema: Schema.Schema<A>
): Effect.Effect<A, PageRefused> => {
  const value = form.get(name)
  return Schema.is(schema)(value) ? Effect.succeed(value) : Effect.fail(new PageRefused({ status: 400, words: null }))
}

/** The id in the path. An invalid id gets the same response as an unknown page. */
export const readParam = <A extends string>(
  { params }: Pick<PageRequest, "params">,
  schema: Schema.Schema<A>,
  name = "id"
): Effect.Effect<A, PageRefused> => {
  const value = params[name]?.toLowerCase()
  return Schema.is(schema)(value) ? Effect.succeed(value) : Effect.fail(noSuchPage)
}

/** A typed line without surrounding space; empty if the form has no such field. */
export const readText = ({ form }: Pick<PageRequest, "form">, name: string): string => (form.get(name) ?? "").trim()

/** The texts of several fields, without surrounding space, or exactly as typed if `trim` is false. */
export const readTexts = <Field extends string>(
  { form }: Pick<PageRequest, "form">,
  fields: ReadonlyArray<Field>,
  { trim = true }: { readonly trim?: boolean } = {}
): { readonly [field in Field]: string } =>
  Object.fromEntries(fields.map((field) => {
    const text = form.get(field) ?? ""
    return [field, trim ? text.trim() : text]
  })) as { [field in Field]: string }

/** The typed lines without surrounding space; empty lines are skipped. */
export const splitLines = (text: string): ReadonlyArray<string> =>
  text.split(/\r\n|\r|\n/).map((line) => line.trim()).filter((line) => line !== "")

/** The lines of `splitLines` without duplicates. */
export const distinctLines = (text: string): ReadonlyArray<string> => [...new Set(splitLines(text))]

/**
 * Completes the name of a time zone, such as `Europe/Berlin` for `berlin`. Text that matches no zone or several zones
 * is returned unchanged.
 */
export const findTimeZone = (text: string): string => {
  const wanted = text.toLowerCase().replaceAll(" ", "_")
  const found = Intl.supportedValuesOf("timeZone").filter((zone) => {
    const name = zone.toLowerCase()
    return name === wanted || name.endsWith(`/${wanted}`)
  })
  return found.length === 1 ? found[0]! : text
}
