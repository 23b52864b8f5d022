/** The forms of the business card. The edited fields of a form are stored together, and only if all are valid. */
import { makeFormId, runOnce } from "@sov/core/audit"
import {
  type BusinessCardReport,
  type CardField,
  cardFieldNames,
  cardFields,
  cardForm,
  cardGroups,
  cardText,
  editBusinessCard,
  type EnteredFact,
  maxSourceLength,
  readBusinessCard
} from "@sov/core/card"
import { editUnchanged } from "@sov/core/common"
import { Effect, Result, Schema } from "effect"
import { PageRefused } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { seeOther, showPage } from "../guard/Reply.ts"
import { cardEditPage, type CardInput, type CardInputFault, fieldsOf, shownFact } from "../pages/cardEdit.ts"
import type { DoneCode } from "../pages/done.ts"
import { fingerprint } from "../pages/forms.ts"
import { inOrganization } from "../pages/sections.ts"
import { readFormId } from "./forms.ts"

/**
 * Validation of the fields. Loaded when the first form is sent, because it includes phone numbers and countries of the
 * whole world.
 */
const loadRules = Effect.promise(() => import("@sov/core/business-card"))
type Rules = Effect.Success<typeof loadRules>

const forms = new Map(cardFieldNames.map((field) => [field, cardForm(field)]))

/** GET /o/{slug}/card/edit */
export const showCardEdit = Effect.fnUntraced(function*({ frame, organization }: OrganizationRequest) {
  const report = yield* readBusinessCard(organization.id)
  return showPage(cardEditPage(frame, { formId: yield* makeFormId, report, forms, sent: null }))
})

const readInput = (form: URLSearchParams, field: CardField): CardInput => ({
  value: (form.get(field) ?? "").replaceAll("\r\n", "\n"),
  source: (form.get(`source.${field}`) ?? "").trim(),
  confirmed: form.has(`confirm.${field}`)
})

/** Splits a typed value into its items; lists have one item per line. */
const itemsOf = (field: CardField, value: string): ReadonlyArray<string> =>
  (cardFields[field].many ? value.split("\n") : [value]).map((item) => item.trim()).filter((item) => item !== "")

/** The result for one field: null if it was not edited, a fact to store, or why it is invalid. */
const readFact = (
  { parseCardField }: Rules,
  { card }: BusinessCardReport,
  form: URLSearchParams,
  field: CardField
): EnteredFact | CardInputFault | null => {
  const { confirmed, source, value } = readInput(form, field)
  const isTouched = (part: "was" | "was-source", text: string) => form.get(`${part}.${field}`) !== fingerprint(text)
  const touched = { value: isTouched("was", value), source: isTouched("was-source", source) }
  if (!touched.value && !touched.source && !confirmed) return null
  const items = itemsOf(field, value)
  if (items.length === 0) {
    if (touched.value) return card.has(field) ? { field, value: null, source: null, updatedAt: null } : null
    return touched.source ? { part: "value", message: "Enter the value that this source gives." } : null
  }
  const parsed = parseCardField(field, items)
  if (Result.isFailure(parsed)) return { part: "value", message: parsed.failure.message }
  if (!touched.source || source === "") return { ...parsed.success, source: null, updatedAt: null }
  const clean = cardText(source, maxSourceLength)
  return Result.isFailure(clean)
    ? { part: "source", message: `the source ${clean.failure}` }
    : { ...parsed.success, source: clean.success, updatedAt: null }
}

/** Whether a field of the card still has the value and source that the form showed. */
const isFieldAsSeen = (form: URLSearchParams, { card }: BusinessCardReport, field: CardField): boolean => {
  const now = shownFact(card, field)
  return form.get(`was.${field}`) === fingerprint(now.value) &&
    form.get(`was-source.${field}`) === fingerprint(now.source)
}

const isGroup = Schema.is(Schema.Literals(cardGroups))

/**
 * POST /o/{slug}/card/edit: stores the fields of one group. Fields that were not edited stay as they are, even if
 * somebody else has changed them. An edited or confirmed field is refused if somebody changed it after the form was
 * opened.
 */
export const editCard = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, frame, organization } = request
  const formId = yield* readFormId(request)
  const group = form.get("group")
  if (!isGroup(group)) return yield* new PageRefused({ status: 400, words: null })
  const rules = yield* loadRules
  const report = yield* readBusinessCard(organization.id)
  const read = fieldsOf(group).map((field) => [field, readFact(rules, report, form, field)] as const)
  const faults = new Map(read.flatMap(([field, one]) => one !== null && "part" in one ? [[field, one] as const] : []))
  const touched = read.flatMap(([field, one]) => one === null ? [] : [field])
  const showAgain = (status: 409 | 422, report: BusinessCardReport) => {
    // Fields that were not edited show their current values
    const inputs = new Map(touched.map((field) => [field, readInput(form, field)]))
    const changed = new Set(touched.filter((field) => !isFieldAsSeen(form, report, field)))
    return showPage(cardEditPage(frame, { formId, report, forms, sent: { group, inputs, faults, changed } }), {
      status
    })
  }
  if (faults.size > 0) return showAgain(422, report)
  const facts = read.flatMap(([, one]) => one !== null && "field" in one ? [one] : [])
  const back = (done: DoneCode) => seeOther(inOrganization(organization.slug, "/card/edit", { done }))
  if (facts.length === 0) return back("card-unchanged")
  const edit = editBusinessCard(organization.id, facts, { source: "entered in the dashboard" })
  const isUnchanged = Effect.map(
    readBusinessCard(organization.id),
    (now) => touched.every((field) => isFieldAsSeen(form, now, field))
  )
  return yield* runOnce(organization.id, formId, editUnchanged(organization.id, isUnchanged, edit)).pipe(
    Effect.map((edits) => back(edits.length === 0 ? "card-unchanged" : "card-saved")),
    Effect.catchTags({
      DoneBefore: () => Effect.succeed(back("sent-before")),
      ChangedMeanwhile: () => Effect.map(readBusinessCard(organization.id), (now) => showAgain(409, now))
    })
  )
})
