/**
 * The filters of the archive, declared once. Cursors, SQL conditions, REST parameters, MCP arguments, command options
 * and export manifests are typed by this declaration: a filter that one of them forgets does not compile.
 */
import { dateBound } from "../dateBound.ts"
import type { KeywordId, ScanId } from "../ids.ts"
import type { Sentiment } from "../measuring/Measurement.ts"
import { type HistoryWindow, laterBegin } from "../organizations/HistoryWindow.ts"
import type { PlatformId } from "../platforms/Platform.ts"
import type { ArchivedAnswer } from "./ArchiveRow.ts"

interface FilterValues {
  readonly keywordId: KeywordId
  readonly platform: PlatformId
  readonly scanId: ScanId
  readonly from: Date
  readonly to: Date
  readonly named: boolean
  readonly sentiment: Sentiment
  readonly tag: string
}

/** Which answers are read: those that match all filters that are given. `from` and `to` are inclusive. */
export type ArchiveFilters = { readonly [Name in keyof FilterValues]?: FilterValues[Name] }

type FilterName = keyof FilterValues

/**
 * The same as stores understand it: instead of a tag, the keywords that have it now (`resolveTag`). `tag` may not be
 * there, so that nobody asks a store for a tag that it would overlook.
 */
export type AnswerFilters = Omit<ArchiveFilters, "tag"> & {
  readonly tag?: never
  readonly keywordIds?: ReadonlyArray<KeywordId>
}

/** Fields of an answer's newest measurement; one that is not measured matches no value. */
type MeasuredField = "brandMentioned" | "sentiment"

/** One filter: which answers match it, and how clients name and write it. */
interface ArchiveFilter<Value> {
  /** Name in REST, MCP and export manifests; null when clients cannot set it. */
  readonly parameter: string | null
  /** The field of an answer, or of its newest measurement, that is compared with the value. */
  readonly field: keyof ArchivedAnswer | MeasuredField
  /**
   * An answer matches when its field is `equal` to the value, `atLeast` or `atMost` the value, or `oneOf` what it
   * stands for.
   */
  readonly comparison: "equal" | "atLeast" | "atMost" | "oneOf"
  /** The value as cursors and manifests hold it. */
  readonly toText: (value: Value) => string
  /** Reads a parameter that has been validated. */
  readonly fromText: (text: string) => Value
}

const parseValidDate = (text: string, bound: "from" | "to"): Date => {
  const date = dateBound(text, bound)
  if (date === null) throw new RangeError(`${bound} is not a date: ${JSON.stringify(text)}`)
  return date
}

/** In the order in which cursors hold them: another order would make the cursors that clients have invalid. */
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
    fromText: (text) => text as Sentiment
  },
  tag: {
    parameter: "tag",
    field: "keywordId",
    comparison: "oneOf",
    toText: String,
    fromText: (text) => text
  }
} as const satisfies { readonly [Name in keyof FilterValues]: ArchiveFilter<FilterValues[Name]> }

type DeclaredFilters = typeof declaredFilters
const filterByName: { readonly [Name in keyof FilterValues]: ArchiveFilter<FilterValues[Name]> } = declaredFilters
const filterNames = Object.keys(declaredFilters) as ReadonlyArray<FilterName>

/** A field of an answer that some filter compares. */
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

/** So many filters stand in every cursor: cursors from before there were others stay valid. */
const firstFilters = 5

/** The texts of all filters in the fixed order of cursors; null for a filter that is not given. */
export const listFilterTexts = (filters: ArchiveFilters): ReadonlyArray<string | null> => {
  const texts = filterNames.map((name) => formatFilterValue(name, filters))
  const last = texts.findLastIndex((text) => text !== null)
  return texts.slice(0, Math.max(firstFilters, last + 1))
}

/** The conditions that an answer has to meet, one for each filter that is given. */
export const listArchiveConditions = (filters: AnswerFilters): ReadonlyArray<ArchiveCondition> =>
  filterNames.flatMap((name) => {
    const value = name === "tag" ? filters.keywordIds : filters[name]
    return value === undefined
      ? []
      : [{ field: declaredFilters[name].field, comparison: declaredFilters[name].comparison, value }]
  })

/** The filters with no answer that is older than what the window shows. */
export const keepToWindow = <Filters extends ArchiveFilters | AnswerFilters>(
  window: HistoryWindow,
  filters: Filters
): Filters => {
  const from = laterBegin(window, filters.from ?? null)
  return from === null ? filters : { ...filters, from }
}

/** Whether nothing is filtered: all answers match. */
export const matchesAll = (filters: AnswerFilters): boolean => listArchiveConditions(filters).length === 0

/** The filters that have a value. Each filter of clients has to be named, `undefined` when it is not given. */
export const keepGivenFilters = (
  values: { readonly [Name in ClientFilter]: ArchiveFilters[Name] | undefined }
): ArchiveFilters => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/**
 * The filters of a request, from its parameters. They must have been validated by the contract of REST or MCP: dates as
 * `dateBound` reads them (else this throws a RangeError), a known platform, an id in any case.
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
 * The value of each parameter as an export's manifest holds it, null where it is not given. Inverse of
 * `filtersFromParameters`.
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
