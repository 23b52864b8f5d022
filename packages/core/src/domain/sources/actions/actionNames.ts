/** Names and limits of actions. Without imports, so that clients and commands load nothing else. */

/** The rules, in the order in which actions of equal size are listed. */
export const actionRules = [
  "fact_contradicted",
  "page_without_you",
  "rival_leads",
  "question_lost",
  "own_page_not_cited",
  "own_page_not_naming"
] as const

/**
 * `done`: it comes back when answers of later scans alone show the same again, beyond chance. `dismissed`: it stays
 * away. `later`: it comes back on a day.
 */
export const actionStates = ["done", "dismissed", "later"] as const

/** For how many days `later` puts an action off, and the limits of other choices. */
export const laterDays = { usual: 30, most: 365 } as const
