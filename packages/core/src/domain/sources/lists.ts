/**
 * Checks whether a payload's lists of sources have a known shape, because a list that cannot be read is not an empty
 * list.
 */
import { asObject } from "./json.ts"
import { maxUrlLength, type SourcesStatus } from "./Source.ts"

/** The state of a provider's list: absent, without pages, with pages, or of an unknown shape. */
export type ListState = "absent" | "empty" | "filled" | "unknown"

/** Whether a value may be the address of a page, without parsing it. */
export const isWebAddress = (value: unknown): boolean =>
  typeof value === "string" && value.length <= maxUrlLength && /^https?:\/\/[^\s/]/i.test(value)

const readUrl = (entry: unknown): unknown => asObject(entry)?.["url"]

/** An `isOther` for lists that contain only pages. */
export const isNever = (): boolean => false

/**
 * Inspects a list of pages. `isOther` recognizes entries that are not pages and have no address; `urlOf` reads the
 * address of the others.
 */
export const inspectList = (
  list: unknown,
  isOther: (entry: unknown) => boolean = isNever,
  urlOf: (entry: unknown) => unknown = readUrl
): ListState => {
  if (list === undefined || list === null) return "absent"
  if (!Array.isArray(list)) return "unknown"
  if (list.some((entry) => isWebAddress(urlOf(entry)))) return "filled"
  return list.every(isOther) ? "empty" : "unknown"
}

/** Creates a test for entries by their `type`. */
export const makeTypeTest = (...types: ReadonlyArray<string>) => (entry: unknown): boolean =>
  types.includes(asObject(entry)?.["type"] as string)

/** The state of a mandatory list: if the list is absent, the shape is unknown. */
export const requireList = (state: ListState): ListState => state === "absent" ? "unknown" : state

/**
 * The status of the sources, judged by the provider's lists: `unreadable` if a list is unreadable, or if a search
 * failed and no list contains a page.
 */
export const judgeLists = (lists: ReadonlyArray<ListState>, searchFailed: boolean): SourcesStatus =>
  lists.includes("unknown") || (searchFailed && !lists.includes("filled")) ? "unreadable" : "complete"
