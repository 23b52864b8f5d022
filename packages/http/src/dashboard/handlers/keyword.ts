/** One question: its page, its CSV, and the page that confirms its removal. */
import { makeExcerpt, readArchive, readMentions } from "@sov/core/archive"
import { makeFormId } from "@sov/core/audit"
import type { KeywordId } from "@sov/core/common"
import { listAnnotations, markScans, readSurfaceLine } from "@sov/core/scoring"
import {
  findKeyword,
  KeywordStatus,
  readKeywordHistory,
  readTagCell,
  readTags,
  setKeywordStatus,
  setKeywordTags
} from "@sov/core/tracking"
import { Effect } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { columnsOf, sendCsv, showPage } from "../guard/Reply.ts"
import { formatTags, type KeywordContent, keywordPage, keywordPath, removeKeywordPage } from "../pages/keyword.ts"
import { readChoice } from "./forms.ts"
import { formatTagFault, readKeywordId } from "./keywords.ts"
import { replyWithPage, roundToOneDecimal } from "./replies.ts"
import { submitForm } from "./saveForm.ts"

/** Number of answers that the page shows. */
const shownAnswers = 10
/** Length of an excerpt in characters. */
const excerptLength = 160

const readAnswers = Effect.fnUntraced(function*({ organization, window }: OrganizationRequest, id: KeywordId) {
  const { rows } = yield* readArchive(organization.id, window, { keywordId: id }, { limit: shownAnswers })
  const mentions = yield* readMentions(organization.id, rows.map((row) => row.id))
  return rows.map((row) => ({
    row,
    excerpt: makeExcerpt(row.rawResponse, mentions.get(row.id)?.mentions ?? [], excerptLength)
  }))
})

const makePage = Effect.fnUntraced(function*(
  request: OrganizationRequest,
  id: KeywordId,
  changed: KeywordContent["changed"],
  refusedTags: KeywordContent["refusedTags"] = null
) {
  const { frame, organization, window } = request
  const history = yield* readKeywordHistory(organization.id, window, id)
  const scanIds = history.scans.map((scan) => scan.id)
  const newest = history.scans.at(-1)
  return keywordPage(frame, {
    formId: yield* makeFormId,
    changed,
    refusedTags,
    history,
    annotations: yield* listAnnotations(organization.id),
    surface: newest === undefined ? null : yield* readSurfaceLine(organization.id, newest),
    platforms: history.platforms.map(({ cells, platform }) => ({ platform, ...markScans(scanIds, cells) })),
    answers: yield* readAnswers(request, id)
  })
})

/** GET /o/{slug}/keywords/{id} */
export const showKeyword = Effect.fnUntraced(function*(request: OrganizationRequest) {
  return yield* replyWithPage(makePage(request, yield* readKeywordId(request), null))
})

/** POST /o/{slug}/keywords/{id}/status: refused if the keyword has changed since the form was opened. */
export const changeKeywordStatus = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, organization } = request
  const id = yield* readKeywordId(request)
  const status = yield* readChoice(request, "status", KeywordStatus)
  return yield* submitForm(request, {
    read: Effect.map(findKeyword(organization.id, id), (keyword) => keyword.status),
    edit: setKeywordStatus(organization.id, id, status),
    to: form.get("back") === "keyword" ? keywordPath(id) : "/keywords",
    done: () => `keyword-${status}`,
    changed: makePage(request, id, "status")
  })
})

/** POST /o/{slug}/keywords/{id}/tags: refused if the tags have changed since the form was opened. */
export const changeKeywordTags = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, organization } = request
  const id = yield* readKeywordId(request)
  const typed = form.get("tags") ?? ""
  const tags = readTagCell(typed)
  if ("fault" in tags) {
    const refused = { typed, message: formatTagFault(tags.fault) }
    return yield* replyWithPage(makePage(request, id, null, refused), { status: 422 })
  }
  const read = Effect.gen(function*() {
    yield* findKeyword(organization.id, id)
    return formatTags((yield* readTags(organization.id)).get(id) ?? [])
  })
  return yield* submitForm(request, {
    read,
    edit: setKeywordTags(organization.id, id, tags),
    to: keywordPath(id),
    done: () => "keyword-tags",
    changed: makePage(request, id, "tags")
  })
})

/** GET /o/{slug}/keywords/{id}/remove */
export const showKeywordRemoval = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const keyword = yield* findKeyword(request.organization.id, yield* readKeywordId(request))
  return showPage(removeKeywordPage(request.frame, keyword, yield* makeFormId))
})

interface Line {
  readonly scanId: string
  readonly startedAt: Date
  readonly platform: string
  readonly sample: number | null
  readonly state: string
  readonly mentioned: boolean | null
  readonly answerId: string | null
  readonly sov: number | null
  readonly simulated: boolean
}

/** GET /o/{slug}/keywords/{id}.csv: one line for each scan (platform `all`) and one for each of its cells. */
export const downloadKeyword = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const id = yield* readKeywordId({ params: { id: request.params["id"]?.replace(/\.csv$/, "") } })
  const { course, platforms, scans } = yield* readKeywordHistory(request.organization.id, request.window, id)
  const lines = scans.flatMap(({ id: scanId, simulated, startedAt }, i): ReadonlyArray<Line> => [
    {
      scanId,
      startedAt,
      platform: "all",
      sample: null,
      state: "",
      mentioned: null,
      answerId: null,
      sov: course[i] ?? null,
      simulated
    },
    ...platforms.flatMap(({ cells, platform }) =>
      cells.filter((cell) => cell.scanId === scanId).map(({ answerId, brandMentioned, sample, state }) => ({
        scanId,
        startedAt,
        platform,
        sample,
        state,
        mentioned: brandMentioned,
        answerId,
        sov: null,
        simulated
      }))
    )
  ])
  return sendCsv<Line>("keyword.csv", {
    scan_id: ({ scanId }) => scanId,
    started_at: ({ startedAt }) => startedAt.toISOString(),
    ...columnsOf<Line>("platform", "sample", "state"),
    brand_mentioned: ({ mentioned }) => mentioned,
    answer_id: ({ answerId }) => answerId,
    sov: ({ sov }) => roundToOneDecimal(sov),
    simulated: ({ simulated }) => simulated
  }, lines)
})
