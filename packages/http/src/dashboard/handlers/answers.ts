/** The list of answers, the page of one answer, and its files. */
import {
  archiveCell,
  archiveColumns,
  type ArchiveRowJson,
  archiveRowJson,
  exportPages,
  makeExcerpt,
  proveAnswer,
  readAnswer,
  readAnswerDetail,
  readAnswerPayload,
  readArchive,
  readMentions,
  readSightings
} from "@sov/core/archive"
import { AnswerId } from "@sov/core/common"
import { platformIds } from "@sov/core/platforms"
import { findShownScan } from "@sov/core/scanning"
import { listTags, readTrackedSet, readUntrackedNames } from "@sov/core/tracking"
import { Effect, Stream } from "effect"
import { PageRefused } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { sendCsv, sendFile, showPage } from "../guard/Reply.ts"
import { answerPage } from "../pages/answer.ts"
import { answersPage } from "../pages/answers.ts"
import { parseAnswerQuery } from "./answerFilters.ts"
import { readParam } from "./forms.ts"
import { listKeywordChoices } from "./keywordChoices.ts"
import { withoutEmptyFields } from "./query.ts"

const maxAnswers = 20
/** Maximum total size of the answers on a page in bytes. A page that reaches it ends early. */
const maxTextBytes = 1_048_576
/** Number of characters of an answer that the list shows. */
const excerptLength = 420

/** Time limit for finding untracked names, which is done once per scan. */
const maxSearchDuration = "2 seconds"

/** GET /o/{slug}/answers */
export const showAnswers = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { configured, frame, organization: { id, slug }, query, window } = request
  const cleaned = withoutEmptyFields(request, `/o/${slug}/answers`)
  if (cleaned !== null) return cleaned
  const { filters, given } = yield* parseAnswerQuery(query)
  const page = yield* readArchive(id, window, filters, { limit: maxAnswers, maxTextBytes, cursor: given.cursor })
  const mentions = yield* readMentions(id, page.rows.map((row) => row.id))
  const sightings = yield* readSightings(id, page.rows)
  return showPage(answersPage(frame, {
    query: given,
    keywords: yield* listKeywordChoices(id, filters.keywordId),
    tags: yield* listTags(id),
    platforms: platformIds.filter((one) =>
      (configured ?? platformIds).some((other) => (typeof other === "string" ? other : other.id) === one) ||
      page.rows.some(({ platform }) => platform === one) ||
      filters.platform === one
    ),
    answers: page.rows.map((row) => ({
      row,
      excerpt: makeExcerpt(row.rawResponse, mentions.get(row.id)?.mentions ?? [], excerptLength, given.q),
      sighting: sightings.get(row.id)
    })),
    nextCursor: page.nextCursor,
    scan: filters.scanId === undefined
      ? null
      : yield* findShownScan(id, window, filters.scanId).pipe(
        Effect.catchTags({ NotFound: () => Effect.succeed(null), OutsideWindow: () => Effect.succeed(null) })
      ),
    windowApplied: page.windowApplied
  }))
})

/** GET /o/{slug}/answers.csv: all answers that match the filters, not just one page. */
export const downloadAnswers = Effect.fnUntraced(function*(
  { organization: { id }, query, window }: OrganizationRequest
) {
  const { filters } = yield* parseAnswerQuery(query)
  const rows = exportPages(id, window, filters, null).pipe(Stream.flatMap(Stream.fromIterable))
  const columns = archiveColumns.map((column) => [column, (row: ArchiveRowJson) => archiveCell(row, column)])
  return sendCsv("answers.csv", Object.fromEntries(columns), Stream.map(rows, archiveRowJson))
})

/** The answer id in the path. */
const readId = (request: OrganizationRequest) => readParam(request, AnswerId)

/** GET /o/{slug}/answers/{id} */
export const showAnswer = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { frame, organization, window } = request
  const detail = yield* readAnswerDetail(organization.id, window, yield* readId(request))
  const brand = yield* readTrackedSet(organization.id).pipe(
    Effect.map((set) => set.brand.name),
    Effect.catchTag("NotReady", () => Effect.succeed(null))
  )
  const untracked = yield* readUntrackedNames(organization.id, window, detail.row, maxSearchDuration).pipe(
    Effect.catchTag("NotReady", () => Effect.succeed<ReadonlyArray<string>>([]))
  )
  return showPage(answerPage(frame, detail, { brand, untracked }))
})

/** GET /o/{slug}/answers/{id}/text */
export const downloadText = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization, window } = request
  const { id, rawResponse } = yield* readAnswer(organization.id, window, yield* readId(request))
  return sendFile(`answer-${id}.txt`, "text/plain; charset=utf-8", rawResponse)
})

/** GET /o/{slug}/answers/{id}/payload: the platform's response, sent so that browsers treat it as plain bytes. */
export const downloadPayload = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization, window } = request
  const id = yield* readId(request)
  const payload = yield* readAnswerPayload(organization.id, window, id)
  if (payload.length === 0) {
    return yield* new PageRefused({
      status: 404,
      words:
        "The response to this question is not stored: the answer was imported from an export, which does not contain it."
    })
  }
  return sendFile(`answer-${id}.bin`, "application/octet-stream", payload)
})

/** GET /o/{slug}/answers/{id}/proof */
export const downloadProof = Effect.fnUntraced(
  function*(request: OrganizationRequest) {
    const { organization, window } = request
    const id = yield* readId(request)
    const proof = yield* proveAnswer(organization.id, window, id)
    return sendFile(`proof-${id}.json`, "application/json", `${JSON.stringify(proof, undefined, 2)}\n`)
  },
  Effect.catchTag("NotSealed", () =>
    Effect.fail(
      new PageRefused({
        status: 409,
        words:
          "This answer is not sealed yet because its scan is still running. The proof is available once the scan has ended."
      })
    ))
)
