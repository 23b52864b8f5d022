/**
 * Whether a payload's lists of sources have the shape that is known: a list that cannot be read is not an empty one.
 */
import { asObject } from "./json.ts"
import { maxUrlLength, type SourcesStatus } from "./Source.ts"

/** A list as the provider sent it: not there, without a page, with one, or of a shape that is not known. */
export type ListState = "absent" | "empty" | "filled" | "unknown"

/** Whether a member may be the address of a page, as far as can be told without parsing it. */
export const isWebAddress = (value: unknown): boolean =>
  typeof value === "string" && value.length <= maxUrlLength && /^https?:\/\/[^\s/]/i.test(value)

const readUrl = (entry: unknown): unknown => asObject(entry)?.["url"]

/** Of a list that names pages alone. */
export const isNever = (): boolean => false

/**
 * Looks at a list of pages. `isOther` tells entries that name something else than a page, and have no address;
 * `urlOf` reads the address of the others.
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

/** Tells entries by their `type`. */
export const makeTypeTest = (...types: ReadonlyArray<string>) => (entry: unknown): boolean =>
  types.includes(asObject(entry)?.["type"] as string)

/** A list that has to be there. */
export const requireList = (state: ListState): ListState => state === "absent" ? "unknown" : state

/**
 * What is known of the sources by their lists: `unreadable` when one of them is, or when a search failed and none of
 * them names a page.
 */
export const judgeLists = (lists: ReadonlyArray<ListState>, searchFailed: boolean): SourcesStatus =>
  lists.includes("unknown") || (searchFailed && !lists.includes("filled")) ? "unreadable" : "complete"
