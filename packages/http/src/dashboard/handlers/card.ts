/** The business card: its content, history and attestation, and the documents generated from it. */
import { makeFormId, runOnce } from "@sov/core/audit"
import {
  attestBusinessCard,
  businessCardJson,
  type CardChange,
  cardChangeJson,
  type CardField,
  cardFieldNames,
  cardItemText,
  cardJsonLd,
  type CardValue,
  checkCard,
  claimJson,
  jsonLdElement,
  jsonLdText,
  listCardChanges,
  readBusinessCard
} from "@sov/core/card"
import { Effect, Schema } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { columnsOf, seeOther, sendCsv, sendFile, showPage } from "../guard/Reply.ts"
import { attestPage, cardPage } from "../pages/card.ts"
import { cardAnswersPage } from "../pages/cardAnswers.ts"
import { cardHistoryPage } from "../pages/cardHistory.ts"
import { inOrganization } from "../pages/sections.ts"
import { readFormId } from "./forms.ts"
import { readFilter, withoutEmptyFields } from "./query.ts"
import { redirectTo } from "./replies.ts"
import { streamPages } from "./streamPages.ts"

/** GET /o/{slug}/card */
export const showCard = Effect.fnUntraced(function*({ frame, organization }: OrganizationRequest) {
  return showPage(cardPage(frame, yield* readBusinessCard(organization.id)))
})

/** Number of recent comparable scans whose answers are compared with the card. */
const checkedScans = 4

const readCheckedCard = ({ organization, window }: OrganizationRequest) =>
  checkCard(organization.id, window, checkedScans).pipe(Effect.catchTag("NoCompletedScan", () => Effect.succeed(null)))

/** GET /o/{slug}/card/answers: the card compared with answers. */
export const showCardAnswers = Effect.fnUntraced(function*(request: OrganizationRequest) {
  return showPage(cardAnswersPage(request.frame, yield* readCheckedCard(request)))
})

/** GET /o/{slug}/card/answers.csv: one line per statement of an answer about a fact of the card. */
export const downloadCardAnswers = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const checked = yield* readCheckedCard(request)
  const claims = (checked?.claims ?? []).map(claimJson)
  type Row = typeof claims[number]
  return sendCsv<Row>("card-against-answers.csv", {
    ...columnsOf<Row>(
      "fact",
      "verdict",
      "stated",
      "quote",
      "answer_id",
      "scan_id",
      "platform",
      "keyword_id",
      "created_at"
    ),
    cited_domains: ({ cited_domains }) => cited_domains.join(" "),
    simulated: () => checked?.scans[0].simulated,
    ...columnsOf<Row>("decided_by")
  }, claims)
})

const valueText = (value: CardValue | null): string | null =>
  value === null ? null : value.map(cardItemText).join(" | ")

/** GET /o/{slug}/card.csv: one line per filled field. */
export const downloadCard = Effect.fnUntraced(function*({ organization }: OrganizationRequest) {
  const report = yield* readBusinessCard(organization.id)
  const { fields } = businessCardJson(report)
  return sendCsv<typeof fields[number]>("business-card.csv", {
    ...columnsOf<typeof fields[number]>("field", "group"),
    value: ({ field }) => valueText(report.card.get(field)!.value),
    ...columnsOf<typeof fields[number]>("source", "updated_at", "freshness")
  }, fields)
})

/** GET /o/{slug}/card/json-ld: the card with its sources, in machine-readable form. */
export const downloadJsonLd = Effect.fnUntraced(function*({ organization }: OrganizationRequest) {
  const { card } = yield* readBusinessCard(organization.id)
  const text = `${jsonLdText(cardJsonLd(card, { sources: true }))}\n`
  return sendFile("business-card.jsonld", "application/ld+json; charset=utf-8", text)
})

/** GET /o/{slug}/card/web-page: the HTML element to put into a web page; it omits the sources of the facts. */
export const downloadElement = Effect.fnUntraced(function*({ organization }: OrganizationRequest) {
  const { card } = yield* readBusinessCard(organization.id)
  return sendFile(
    "business-card.html",
    "text/plain; charset=utf-8",
    `${jsonLdElement(cardJsonLd(card, { sources: false }))}\n`
  )
})

/** GET /o/{slug}/card/attest */
export const showAttest = Effect.fnUntraced(function*({ frame, organization, visitor }: OrganizationRequest) {
  const report = yield* readBusinessCard(organization.id)
  return report.card.size === 0
    ? seeOther(inOrganization(organization.slug, "/card"))
    : showPage(attestPage(frame, report, { by: visitor.person.name, fault: null, formId: yield* makeFormId }))
})

/** POST /o/{slug}/card/attest: attests the card, if it is still the one that the form showed. */
export const attest = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, frame, organization } = request
  const by = form.get("by") ?? ""
  const formId = yield* readFormId(request)
  const attesting = attestBusinessCard(organization.id, by, form.get("hash") ?? "")
  return yield* runOnce(organization.id, formId, attesting).pipe(
    Effect.as(redirectTo(request, "/card", "card-attested")),
    Effect.catchTags({
      DoneBefore: () => Effect.succeed(redirectTo(request, "/card", "sent-before")),
      Rejected: ({ field, message }) =>
        Effect.map(
          readBusinessCard(organization.id),
          (report) =>
            showPage(attestPage(frame, report, { by, fault: message, formId }), {
              status: field === "hash" ? 409 : 422
            })
        )
    })
  )
})

/** Changes per page, and per read for the CSV. */
const shownChanges = 50
const csvPage = 500

const FieldName = Schema.Literals(cardFieldNames)
/** Sequence number of the last change on the previous page. */
const Sequence = Schema.String.check(Schema.isPattern(/^[1-9]\d{0,15}$/))

const readChanges = Effect.fnUntraced(function*(
  { organization, window }: OrganizationRequest,
  field: CardField | undefined,
  cursor: string | undefined,
  limit: number
) {
  const found = yield* listCardChanges(organization.id, window, {
    limit: limit + 1,
    field,
    before: cursor === undefined ? undefined : Number(cursor)
  })
  const rows = found.slice(0, limit)
  return { rows, nextCursor: found.length > limit ? String(rows.at(-1)!.sequence) : null }
})

/** GET /o/{slug}/card/history */
export const showCardHistory = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const clean = withoutEmptyFields(request, `/o/${request.organization.slug}/card/history`)
  if (clean !== null) return clean
  const field = yield* readFilter(request, "field", FieldName)
  const cursor = yield* readFilter(request, "cursor", Sequence)
  const { nextCursor, rows } = yield* readChanges(request, field, cursor, shownChanges)
  return showPage(cardHistoryPage(request.frame, { changes: rows, field, cursor, nextCursor }))
})

/** GET /o/{slug}/card/history.csv */
export const downloadCardHistory = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const field = yield* readFilter(request, "field", FieldName)
  return sendCsv(
    "business-card-history.csv",
    {
      changed_at: (change: CardChange) => change.changedAt.toISOString(),
      field: (change) => change.field,
      change: (change) => cardChangeJson(change).change,
      value: (change) => valueText(change.value),
      previous: (change) => valueText(change.previous),
      source: (change) => change.source,
      updated_at: (change) => change.updatedAt.toISOString()
    },
    streamPages((cursor) => readChanges(request, field, cursor, csvPage))
  )
})
