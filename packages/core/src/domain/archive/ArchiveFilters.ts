/**
 * The filters of the archive, declared once. Cursors, SQL conditions, REST parameters, MCP arguments, command options
 * and export manifests derive their types from this declaration, so that code that omits a filter does not compile.
 */
import { dateBound } from "../dateBound.ts"
import type { KeywordId, ScanId } from "../ids.ts"
import type { Sentiment } from "../measuring/Measurement.ts"
import { type HistoryWindow, laterBegin } from "../organizations/HistoryWindow.ts"
import type { PlatformId } from "../platforms/Platform.ts"
import type { ArchivedAnswer } from "./ArchiveRow.ts"

/**
 * Matches answers that name the brand but have no sentiment, for example because there is no lexicon of their language.
 */
export const notJudged = "not_judged"

interface FilterValues {
  readonly keywordId: KeywordId
  readonly platform: PlatformId
  readonly scanId: ScanId
  readonly from: Date
  readonly to: Date
  readonly named: boolean
  readonly sentiment: Sentiment | typeof notJudged
  readonly tag: string
  readonly view: string
  readonly words: string
}

/** Filters of answers; an answer must match all of them. `from` and `to` are inclusive. */
export type ArchiveFilters = { readonly [Name in keyof FilterValues]?: FilterValues[Name] }

type FilterName = keyof FilterValues

/**
 * Filters that stores accept: `resolveTag` has replaced the tag by its current keywords. The type forbids `tag`, which
 * a store would ignore.
 */
export type AnswerFilters = Omit<ArchiveFilters, "tag"> & {
  readonly tag?: never
  readonly keywordIds?: ReadonlyArray<KeywordId>
}

/** The field with the name of the view: `standard` for answers without a view. */
type ViewField = "view"

/** Fields of an answer's newest measurement. An answer that has not been measured matches no value. */
type MeasuredField = "brandMentioned" | "sentiment"

/** One filter: its condition on answers, and its name and form for clients. */
interface ArchiveFilter<Value> {
  /** The filter's name in REST, MCP and export manifests; null if clients cannot set it. */
  readonly parameter: string | null
  /** The field of an answer, or of its newest measurement, that is compared with the value. */
  readonly field: keyof ArchivedAnswer | MeasuredField | ViewField
  /**
   * The condition on the field: `equal` to the value, `atLeast` or `atMost` the value, `oneOf` several values, or a
   * text that `contains` words.
   */
  readonly comparison: "equal" | "atLeast" | "atMost" | "oneOf" | "contains"
  /** Writes the value for cursors and manifests. */
  readonly toText: (value: Value) => string
  /** Reads the value of a validated parameter. */
  readonly fromText: (text: string) => Value
}

const parseValidDate = (text: string, bound: "from" | "to"): Date => {
  const date = dateBound(text, bound)
  if (date === null) throw new RangeError(`${bound} is not a date: ${JSON.stringify(text)}`)
  return date
}

/**
 * The filters in the order in which cursors contain them. The order must not change, because existing cursors depend on
 * it.
 */
const declaredFilters = {
  keywordId: {
    parameter: "keyword_id",
    field: "keywordId",
    comparison: "equal",
    toText: String,
    fromText: (text) => text.toLowerCase() as KeywordId
  },
  platform: {
    parameter: "platform",
    field: "platform",
    comparison: "equal",
    toText: String,
    fromText: (text) => text as PlatformId
  },
  scanId: {
    parameter: null,
    field: "scanId",
    comparison: "equal",
    toText: String,
    fromText: (text) => text.toLowerCase() as ScanId
  },
  from: {
    parameter: "from",
    field: "createdAt",
    comparison: "atLeast",
    toText: (time) => time.toISOString(),
    fromText: (text) => parseValidDate(text, "from")
  },
  to: {
    parameter: "to",
    field: "createdAt",
    comparison: "atMost",
    toText: (time) => time.toISOString(),
    fromText: (text) => parseValidDate(text, "to")
  },
  named: {
    parameter: null,
    field: "brandMentioned",
    comparison: "equal",
    toText: String,
    fromText: (text) => text === "true"
  },
  sentiment: {
    parameter: null,
    field: "sentiment",
    comparison: "equal",
    toText: String,
    fromText: (text) => text as Sentiment | typeof notJudged
  },
  tag: {
    parameter: "tag",
    field: "keywordId",
    comparison: "oneOf",
    toText: String,
    fromText: (text) => text
  },
  view: {
    parameter: "view",
    field: "view",
    comparison: "equal",
    toText: String,
    fromText: (text) => text
  },
  words: {
    parameter: null,
    field: "rawResponse",
    comparison: "contains",
    toText: String,
    fromText: (text) => text
  }
} as const satisfies { readonly [Name in keyof FilterValues]: ArchiveFilter<FilterValues[Name]> }

type DeclaredFilters = typeof declaredFilters
const filterByName: { readonly [Name in keyof FilterValues]: ArchiveFilter<FilterValues[Name]> } = declaredFilters
const filterNames = Object.keys(declaredFilters) as ReadonlyArray<FilterName>

/** A field of an answer that a filter compares. */
export type FilteredField = DeclaredFilters[FilterName]["field"]

/** The name under which clients set a filter: query parameter, MCP argument, member of a manifest. */
export type ArchiveParameter = NonNullable<DeclaredFilters[FilterName]["parameter"]>

/** A filter that clients can set. */
export type ClientFilter = {
  [Name in FilterName]: DeclaredFilters[Name]["parameter"] extends null ? never : Name
}[FilterName]

/** One condition on an answer: `answer[field]` compared with `value`. */
export interface ArchiveCondition {
  readonly field: FilteredField
  readonly comparison: ArchiveFilter<never>["comparison"]
  readonly value: string | boolean | Date | ReadonlyArray<string>
}

const formatFilterValue = <Name extends FilterName>(name: Name, filters: ArchiveFilters): string | null => {
  const value = filters[name] as FilterValues[Name] | undefined
  return value === undefined ? null : filterByName[name].toText(value)
}

/**
 * Number of filters in every cursor. Filters that were added later are appended only if set, so that older cursors stay
 * valid.
 */
const firstFilters = 5

/** The texts of all filters in the fixed order of cursors; null for an absent filter. */
export const listFilterTexts = (filters: ArchiveFilters): ReadonlyArray<string | null> => {
  const texts = filterNames.map((name) => formatFilterValue(name, filters))
  const last = texts.findLastIndex((text) => text !== null)
  return texts.slice(0, Math.max(firstFilters, last + 1))
}

/** The conditions on an answer, one for each given filter. */
export const listArchiveConditions = (filters: AnswerFilters): ReadonlyArray<ArchiveCondition> =>
  filterNames.flatMap((name) => {
    const value = name === "tag" ? filters.keywordIds : filters[name]
    return value === undefined
      ? []
      : [{ field: declaredFilters[name].field, comparison: declaredFilters[name].comparison, value }]
  })

/** Restricts the filters to the history window. */
export const keepToWindow = <Filters extends ArchiveFilters | AnswerFilters>(
  window: HistoryWindow,
  filters: Filters
): Filters => {
  const from = laterBegin(window, filters.from ?? null)
  return from === null ? filters : { ...filters, from }
}

/** Whether all answers match. */
export const matchesAll = (filters: AnswerFilters): boolean => listArchiveConditions(filters).length === 0

/** Removes undefined filters. The type requires callers to pass every filter of clients, `undefined` if absent. */
export const keepGivenFilters = (
  values: { readonly [Name in ClientFilter]: ArchiveFilters[Name] | undefined }
): ArchiveFilters => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/**
 * Reads filters from parameters that the contract of REST or MCP has validated: dates (`dateBound`), a known platform,
 * and ids in any case. Throws a RangeError for a date that `dateBound` cannot read.
 */
export const filtersFromParameters = (
  parameters: { readonly [Parameter in ArchiveParameter]?: string }
): ArchiveFilters =>
  Object.fromEntries(filterNames.flatMap((name) => {
    const { parameter } = declaredFilters[name]
    const text = parameter === null ? undefined : parameters[parameter]
    return text === undefined ? [] : [[name, filterByName[name].fromText(text)]]
  }))

/**
 * Writes the parameters of an export's manifest, with null for absent filters. The inverse of `filtersFromParameters`.
 */
export const filtersToParameters = (
  filters: ArchiveFilters
): { readonly [Parameter in ArchiveParameter]: string | null } => {
  const members = filterNames.flatMap((name) => {
    const { parameter } = declaredFilters[name]
    return parameter === null ? [] : [[parameter, formatFilterValue(name, filters)] as const]
  })
  return Object.fromEntries(members) as { [Parameter in ArchiveParameter]: string | null }
}

/** The parameters of all filters that clients can set. */
export const archiveParameters: ReadonlyArray<ArchiveParameter> = filterNames.flatMap((name) => {
  const { parameter } = declaredFilters[name]
  return parameter === null ? [] : [parameter]
})
