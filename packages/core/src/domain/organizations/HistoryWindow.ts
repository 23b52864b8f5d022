/** How far back an organization can see its data. */
import type { Organization } from "./Organization.ts"
import { plans } from "./Plan.ts"

/**
 * The part of an organization's history that one request may show: everything from `since` on; the whole history if
 * `since` is null. A scan is dated by its start, an answer by when it was archived. Each request computes the window
 * once and passes it to every reader.
 */
export interface HistoryWindow {
  readonly since: Date | null
}

/** The whole history. The API always uses it: every plan with API access has the whole history. */
export const wholeHistory: HistoryWindow = { since: null }

const dayMs = 86_400_000

/** The window of the organization's plan at `now`: the last days (24 hours each) if the plan limits them. */
export const historyWindowAt = (
  { historyDays, plan }: Pick<Organization, "plan" | "historyDays">,
  now: Date
): HistoryWindow => {
  const days = historyDays ?? plans[plan].historyDays
  return days === null ? wholeHistory : { since: new Date(now.getTime() - days * dayMs) }
}

/** Whether the window includes `at`. */
export const isInWindow = ({ since }: HistoryWindow, at: Date): boolean => since === null || at >= since

/** The later of the window's start and the reader's own start; null if neither exists. */
export const laterBegin = ({ since }: HistoryWindow, from: Date | null): Date | null =>
  since === null || (from !== null && from > since) ? from : since

/**
 * Whether the window hides a part of a history that begins at `begin` and is requested from `from` on (null: from its
 * beginning).
 */
export const isWindowApplied = ({ since }: HistoryWindow, begin: Date, from: Date | null | undefined = null): boolean =>
  since !== null && begin < since && (from == null || from < since)
