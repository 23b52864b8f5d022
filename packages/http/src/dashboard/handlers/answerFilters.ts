import { type ArchiveFilters, notJudged } from "@sov/core/archive"
import { dateBound, KeywordId, ScanId } from "@sov/core/common"
import { Sentiment } from "@sov/core/measuring"
import { PlatformId } from "@sov/core/platforms"
import { Effect, Schema } from "effect"
import type { AnswerQuery } from "../pages/answers.ts"
import { maxSearchLength } from "../pages/listView.ts"
import { refusedFilter, TagFilter } from "./query.ts"

const parseFlag = (text: string): boolean | null => text === "true" ? true : text === "false" ? false : null

const parseBy = <Value extends string>(schema: Schema.Schema<Value>) => {
  const is = Schema.is(schema)
  return (text: string): Value | null => is(text) ? text : null
}

const parseKeywordId = parseBy(KeywordId)
const parsePlatform = parseBy(PlatformId)
const parseScanId = parseBy(ScanId)
const parseSentiment = parseBy(Schema.Literals([...Sentiment.literals, notJudged]))

const parseTag = parseBy(TagFilter)

const parseSearch = (text: string): string | null => text.length > maxSearchLength ? null : text

const wrap = <Name extends keyof ArchiveFilters>(
  name: Name,
  value: ArchiveFilters[Name] | null
): ArchiveFilters | null => value === null ? null : { [name]: value }

/** Parses the value of each query field into a filter. Null = invalid value. */
const filterOf: {
  readonly [Name in Exclude<keyof AnswerQuery, "cursor">]: (text: string) => ArchiveFilters | null
} = {
  keyword_id: (text) => wrap("keywordId", parseKeywordId(text.toLowerCase())),
  platform: (text) => wrap("platform", parsePlatform(text)),
  scan_id: (text) => wrap("scanId", parseScanId(text.toLowerCase())),
  named: (text) => wrap("named", parseFlag(text)),
  sentiment: (text) => wrap("sentiment", parseSentiment(text)),
  from: (text) => wrap("from", dateBound(text, "from")),
  to: (text) => wrap("to", dateBound(text, "to")),
  tag: (text) => wrap("tag", parseTag(text)),
  q: (text) => wrap("words", parseSearch(text))
}

/** The filters of a query, together with its original values. Fails if a filter does not accept its value. */
export const parseAnswerQuery = Effect.fnUntraced(function*(query: URLSearchParams) {
  let filters: ArchiveFilters = {}
  let given: AnswerQuery = {}
  for (const [name, parse] of Object.entries(filterOf)) {
    const text = query.get(name)
    if (text === null) continue
    const found = parse(text)
    if (found === null) return yield* refusedFilter(name)
    filters = { ...filters, ...found }
    given = { ...given, [name]: text }
  }
  const cursor = query.get("cursor")
  return { filters, given: cursor === null ? given : { ...given, cursor } }
})
