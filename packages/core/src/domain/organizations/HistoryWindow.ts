/** How far back an organization's data is shown to it. */
import type { Organization } from "./Organization.ts"
import { plans } from "./Plan.ts"

/**
 * The part of an organization's history that one request may show: what happened at `since` or later; everything where
 * `since` is null. A scan is dated by its start, an answer by when it was archived. A request forms it once and gives
 * it to each reader.
 */
export interface HistoryWindow {
  readonly since: Date | null
}

/** All of it. The API has no other: every plan that may call it has the whole history. */
export const wholeHistory: HistoryWindow = { since: null }

const dayMs = 86_400_000

/** What the organization's plan shows at `now`: its last days (24 hours each) where the plan limits them. */
export const historyWindowAt = (
  { historyDays, plan }: Pick<Organization, "plan" | "historyDays">,
  now: Date
): HistoryWindow => {
  const days = historyDays ?? plans[plan].historyDays
  return days === null ? wholeHistory : { since: new Date(now.getTime() - days * dayMs) }
}

/** Whether the window shows what happened at `at`. */
export const isInWindow = ({ since }: HistoryWindow, at: Date): boolean => since === null || at >= since

/** The later of the window's begin and a begin of the reader's own; null = neither is given. */
export const laterBegin = ({ since }: HistoryWindow, from: Date | null): Date | null =>
  since === null || (from !== null && from > since) ? from : since

/**
 * Whether the window keeps back something that begins at `begin` and is asked for from `from` on (null = from its
 * begin).
 */
export const isWindowApplied = ({ since }: HistoryWindow, begin: Date, from: Date | null | undefined = null): boolean =>
  since !== null && begin < since && (from == null || from < since)
