import { pluralized } from "@sov/core/common"
import {
  KeywordStatus,
  type KeywordSummary,
  listKeywords as readKeywords,
  maxKeywordQuery,
  maxTagFilterLength,
  readTags
} from "@sov/core/tracking"
import { Effect, Schema } from "effect"
import { takeFitting } from "../budget.ts"
import {
  cursorArgument,
  IsoTime,
  labelSimulated,
  limitArgument,
  makePageMeta,
  pageMeta,
  simulatedMember,
  staleCursor
} from "../parameters.ts"
import { defineTool, ToolRefusal } from "../Tool.ts"

const defaultLimit = 50

const toRow = (
  { keyword, lastMentioned, lastScannedAt, simulated }: KeywordSummary,
  tags: ReadonlyArray<string> | undefined
) => ({
  id: keyword.id as string,
  prompt: keyword.text,
  status: keyword.status,
  tags: tags ?? [],
  last_scanned_at: lastScannedAt?.toISOString() ?? null,
  last_mentioned: lastMentioned,
  created_at: keyword.createdAt.toISOString(),
  ...simulated ? { simulated } : {}
})

/** States the number of keywords and in how many the brand was named, and whether the answers are simulated. */
const describeKeywords = (keywords: ReadonlyArray<ReturnType<typeof toRow>>): string => {
  const answered = keywords.filter((row) => row.last_scanned_at !== null).length
  const madeUp = keywords.filter((row) => row.simulated === true).length
  const named = keywords.filter((row) => row.last_mentioned === true).length
  const sentence = `${pluralized(keywords.length, "keyword")}; ${named} named the brand in their newest scan.`
  return labelSimulated(sentence, madeUp, answered)
}

export const listKeywords = defineTool({
  name: "list_keywords",
  title: "Tracked keywords",
  description: [
    "The questions (keywords) that are asked of the AI platforms, each with its status and whether the brand was named last time.",
    "Use when: you need a keyword_id, or to know what is tracked and where the brand is missing.",
    "Do not use for: scores or answers (get_scan_results, get_answer_archive).",
    "Example: {\"status\": \"active\", \"query\": \"running shoes\"}"
  ].join("\n"),
  input: Schema.Struct({
    status: Schema.optionalKey(
      KeywordStatus.annotate({
        description: "active = asked by scans; paused; archived = no longer tracked. All when left out",
        message: "must be one of active, paused, archived"
      })
    ),
    query: Schema.optionalKey(
      Schema.String.check(
        Schema.isMaxLength(maxKeywordQuery, { message: `must have at most ${maxKeywordQuery} characters` })
      ).annotate({
        description: "Part of the keyword's text, whatever the case"
      })
    ),
    tag: Schema.optionalKey(
      Schema.String.check(
        Schema.isBetweenLength(1, maxTagFilterLength, { message: `must have 1 to ${maxTagFilterLength} characters` })
      ).annotate({
        description: "Only keywords that have this tag; branded and unbranded are computed"
      })
    ),
    limit: Schema.optionalKey(limitArgument(defaultLimit)),
    cursor: Schema.optionalKey(cursorArgument)
  }),
  output: Schema.Struct({
    keywords: Schema.Array(Schema.Struct({
      id: Schema.String.annotate({ description: "keyword_id of other tools" }),
      prompt: Schema.String,
      status: KeywordStatus,
      tags: Schema.Array(Schema.String).annotate({ description: "Tags that it was given" }),
      last_scanned_at: Schema.NullOr(IsoTime),
      last_mentioned: Schema.NullOr(Schema.Boolean).annotate({
        description: "Whether any answer to it in the newest scan that asked it names the brand; null before the first"
      }),
      created_at: IsoTime,
      ...simulatedMember
    })),
    meta: Schema.Struct(pageMeta)
  }),
  handle: ({ cursor, limit = defaultLimit, query, status, tag }, organizationId) =>
    Effect.all([readKeywords(organizationId, { query, status, tag }, { limit, cursor }), readTags(organizationId)])
      .pipe(
        Effect.map(([page, tags]) => {
          const keywords = takeFitting(page.rows.map((row) => toRow(row, tags.get(row.keyword.id))))
          return {
            structured: { keywords, meta: makePageMeta(page, keywords.length) },
            sentence: keywords.length === 0
              ? "No keyword matches; list_keywords without arguments shows all."
              : describeKeywords(keywords)
          }
        }),
        Effect.catchTag("BadCursor", () => new ToolRefusal({ message: staleCursor }))
      )
})
