/** Keywords: the list, its CSV, and adding keywords. */
import { makeFormId, runOnce } from "@sov/core/audit"
import { KeywordId } from "@sov/core/common"
import { type Period, readTagShares } from "@sov/core/scoring"
import {
  addKeywords as addTexts,
  decideTopics,
  type KeywordListRow,
  KeywordStatus,
  KeywordText,
  listKeywordStandings,
  listTags,
  readKeywords,
  readTagCell,
  readTopics,
  tidyKeyword,
  topicActs
} from "@sov/core/tracking"
import { Effect, Schema } from "effect"
import { noSuchPage, PageRefused } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { sendCsv, showPage } from "../guard/Reply.ts"
import {
  addedKeywordsPage,
  type KeywordFilters,
  keywordList,
  keywordsPage,
  maxAddedKeywords,
  type RefusedLines
} from "../pages/keywords.ts"
import { type ListViewOf, viewRows } from "../pages/listView.ts"
import { describeTopic, type TopicsContent } from "../pages/topics.ts"
import { distinctLines, readChoice, readFormId, splitLines } from "./forms.ts"
import { readListView, readRows } from "./listView.ts"
import { readFilePeriod, readPeriod } from "./period.ts"
import { refusedFilter, withoutEmptyFields } from "./query.ts"
import { redirectTo, replyWithPage, roundToOneDecimal } from "./replies.ts"
import { submitForm } from "./saveForm.ts"
import { streamPages } from "./streamPages.ts"
import { readTopicsContent } from "./topics.ts"

const keywordsPerRead = 200

const isKeywordId = Schema.is(KeywordId)
const isStatus = Schema.is(KeywordStatus)

const readFilters = ({ query }: OrganizationRequest): Effect.Effect<KeywordFilters, PageRefused> => {
  const [q, status, tag] = ["q", "status", "tag"].map((name) => query.get(name) || undefined)
  return status !== undefined && !isStatus(status)
    ? Effect.fail(refusedFilter("status"))
    : Effect.succeed({ q, status, tag })
}

/** Without a status, only active and paused keywords are listed. Removed keywords are listed only on request. */
const queryOf = ({ q, status, tag }: KeywordFilters) => ({
  query: q,
  status: status ?? ["active", "paused"] as const,
  tag
})

/** Number of scans that are searched for the newest answers with a tag. */
const tagScans = 5

const readShares = ({ organization, window }: OrganizationRequest) =>
  readTagShares(organization.id, window, tagScans).pipe(
    Effect.catchTags({ NoCompletedScan: () => Effect.succeed(null), NotFound: () => Effect.succeed(null) })
  )

/** The sort order in the address; null = the order in which keywords were added. */
const readOrder = ({ query }: OrganizationRequest) =>
  query.has("sort")
    ? readListView({ query }, keywordList)
    : Effect.succeed(null)

/** One page of keywords, either in the order in which they were added or sorted among all keywords. */
const readList = Effect.fnUntraced(function*(
  { organization: { id }, window }: OrganizationRequest,
  filters: KeywordFilters,
  view: ListViewOf<typeof keywordList> | null,
  cursor: string | undefined,
  period: Period | undefined
) {
  const read = (options: { readonly limit: number; readonly cursor?: string | undefined }) =>
    listKeywordStandings(id, window, queryOf(filters), options, period)
  if (view === null) return { ...yield* read({ limit: keywordList.perPage, cursor }), sorted: null }
  const list = yield* readRows((next) => read({ limit: keywordsPerRead, cursor: next }))
  const part = viewRows(list.rows, { ...view, q: "" }, keywordList)
  return { ...list, rows: part.rows, nextCursor: null, sorted: { view, part, all: list.nextCursor === null } }
})

const readContent = Effect.fnUntraced(
  function*(request: OrganizationRequest, filters: KeywordFilters, cursor: string | undefined) {
    const { organization } = request
    const tags = yield* listTags(organization.id)
    const { compared, fault, query } = yield* readPeriod(request)
    const { scans, ...list } = yield* readList(
      request,
      filters,
      yield* readOrder(request),
      cursor,
      compared?.period
    )
    const { active, archived, paused } = list.counts
    return {
      ...list,
      topics: yield* readTopicsContent(organization.id, active + paused + archived),
      period: { query, fault, scans: compared === null ? null : scans.length },
      formId: yield* makeFormId,
      filters,
      isFirst: cursor === undefined,
      tags,
      shares: tags.length === 0 ? null : yield* readShares(request),
      simulated: scans.at(-1)?.simulated ?? false
    }
  }
)

/** GET /o/{slug}/keywords?q=&status=&cursor=, or &sort=&page= */
export const showKeywords = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const clean = withoutEmptyFields(request, `/o/${request.organization.slug}/keywords`)
  if (clean !== null) return clean
  const cursor = request.query.get("cursor") ?? undefined
  return showPage(keywordsPage(request.frame, yield* readContent(request, yield* readFilters(request), cursor)))
})

/** GET /o/{slug}/keywords.csv?q=&status= */
export const downloadKeywords = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization, window } = request
  const query = queryOf(yield* readFilters(request))
  const compared = yield* readFilePeriod(request)
  const rows = streamPages((cursor) =>
    Effect.map(
      listKeywordStandings(organization.id, window, query, { limit: keywordsPerRead, cursor }, compared?.period),
      ({ nextCursor, rows, scans }) => ({
        nextCursor,
        rows: rows.map((row) => ({ ...row, simulated: scans.at(-1)?.simulated ?? false }))
      })
    )
  )
  return sendCsv("keywords.csv", {
    id: ({ summary }: KeywordListRow & { readonly simulated: boolean }) => summary.keyword.id,
    text: ({ summary }) => summary.keyword.text,
    status: ({ summary }) => summary.keyword.status,
    branded: ({ branded }) => branded,
    tags: ({ tags }) => tags.join(", "),
    sov: ({ sov }) => roundToOneDecimal(sov),
    recent_sov: ({ recent }) => roundToOneDecimal(recent?.sov),
    recent_interval_low: ({ recent }) => roundToOneDecimal(recent?.interval?.low),
    recent_interval_high: ({ recent }) => roundToOneDecimal(recent?.interval?.high),
    recent_scans: ({ recent }) => recent?.scans,
    last_scanned_at: ({ summary }) => summary.lastScannedAt?.toISOString(),
    simulated: ({ simulated }) => simulated
  }, rows)
})

const isKeywordText = Schema.is(KeywordText)

/** Why these questions cannot be added; null = they can be added. */
export const findQuestionsFault = (lines: ReadonlyArray<string>): string | null => {
  if (lines.length > maxAddedKeywords) {
    return `You entered ${lines.length} lines; you can add at most ${maxAddedKeywords} at once.`
  }
  const wrong = lines.findIndex((line) => !isKeywordText(line))
  return wrong === -1 ? null : `Question ${wrong + 1} must be 1–2,000 characters of text without control characters.`
}

interface ParsedForm {
  readonly lines: ReadonlyArray<string>
  readonly given: ReadonlyArray<string>
}

/** A sentence that says why tags are not accepted. */
export const formatTagFault = (fault: string): string => `Tags: ${fault}.`

/** The questions and tags of a form, or why they are not accepted. */
const parseForm = (text: string, tags: string): ParsedForm | RefusedLines => {
  const lines = splitLines(text)
  const given = readTagCell(tags)
  const message = lines.length === 0
    ? "Enter at least one question."
    : findQuestionsFault(lines) ?? ("fault" in given ? formatTagFault(given.fault) : null)
  return message === null && !("fault" in given) ? { lines, given } : { text, tags, message: message ?? "" }
}

/** Counts empty lines, except those at the end of the text. */
const countEmptyLines = (text: string): number =>
  text.trimEnd().split(/\r\n|\r|\n/).filter((line) => line.trim() === "").length

/** POST /o/{slug}/keywords: adds questions, and shows the result for each line. */
export const addKeywords = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, frame, organization } = request
  const formId = yield* readFormId(request)
  const parsed = parseForm(form.get("texts") ?? "", form.get("tags") ?? "")
  if ("message" in parsed) {
    const content = yield* readContent(request, {}, undefined)
    return showPage(keywordsPage(frame, content, parsed), { status: 422 })
  }
  const lines = parsed.lines.map(tidyKeyword)
  const removed = yield* readKeywords(organization.id, ["archived"])
  const ids = new Set(removed.map(({ id }) => id))
  return yield* runOnce(organization.id, formId, addTexts(organization.id, parsed.lines, parsed.given)).pipe(
    Effect.map((added) =>
      showPage(addedKeywordsPage(frame, {
        added,
        returned: new Set(added.map(({ keyword }) => keyword.id).filter((id) => ids.has(id))),
        repeated: lines.filter((line, n) => lines.indexOf(line) !== n),
        empty: countEmptyLines(form.get("texts") ?? "")
      }))
    ),
    Effect.catchTag("DoneBefore", () => Effect.succeed(redirectTo(request, "/keywords", "sent-before")))
  )
})

/** The keyword id in the path. */
export const readKeywordId = ({ params }: Pick<OrganizationRequest, "params">, name = "id") => {
  const id = params[name]?.toLowerCase()
  return isKeywordId(id) ? Effect.succeed(id) : Effect.fail(noSuchPage)
}

const TopicActs = Schema.Literals(topicActs)
const isKeywordIds = Schema.is(Schema.Array(KeywordId))

/** The questions that a topic form applies to: the whole topic, the checked questions, or the typed lines. */
const readTopicForm = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, organization: { id } } = request
  const act = yield* readChoice(request, "act", TopicActs)
  if (act === "join") {
    const known = new Map((yield* readKeywords(id)).map((one) => [tidyKeyword(one.text), one.id]))
    const found = distinctLines(form.get("texts") ?? "").map((line) => known.get(tidyKeyword(line)))
    return { act, ids: found.includes(undefined) ? null : found.map((one) => one!) }
  }
  const ids = act === "keep" ? [form.get("topic")] : form.getAll("keyword")
  return isKeywordIds(ids) ? { act, ids } : yield* noSuchPage
})

/** POST /o/{slug}/keywords/topics: refused if the topic has changed since the form was opened. */
export const decideTopic = Effect.fnUntraced(
  function*(request: OrganizationRequest) {
    const { form, frame, organization: { id } } = request
    const makePage = Effect.fnUntraced(function*(given: Partial<TopicsContent>) {
      const content = yield* readContent(request, {}, undefined)
      return keywordsPage(frame, { ...content, topics: content.topics && { ...content.topics, ...given } })
    })
    const refuse = (message: string) =>
      replyWithPage(makePage({ refused: { texts: form.get("texts") ?? "", message } }), { status: 422 })
    const read = Effect.map(readTopics(id), (topics) => {
      const seen = topics.find(({ keywords }) => keywords.some((one) => one.id === form.get("topic")))
      return seen === undefined ? "" : describeTopic(seen)
    })
    return yield* readTopicForm(request).pipe(
      Effect.flatMap(({ act, ids }) =>
        ids === null ? refuse("You have no question with the text of one of these lines.") : submitForm(request, {
          read,
          edit: decideTopics(id, act, ids),
          to: "/keywords",
          done: ({ changed }) => changed ? "topics-decided" : "names-unchanged",
          changed: makePage({ changed: true })
        })
      ),
      Effect.catchTags({
        NotFound: () => Effect.fail(noSuchPage),
        Rejected: ({ message }) => refuse(`${message}.`)
      })
    )
  },
  Effect.catchTags({
    NotReady: () => Effect.fail(noSuchPage),
    TrackedSetChanged: () => Effect.fail(new PageRefused({ status: 409, words: null }))
  })
)
