/** Names and limits of actions. This file has no imports, so that clients and commands load nothing else. */

/** The rules, in the order in which actions with the same number of answers are listed. */
export const actionRules = [
  "fact_contradicted",
  "page_without_you",
  "rival_leads",
  "question_lost",
  "own_page_not_cited",
  "own_page_not_naming",
  "spelling_untracked",
  "untracked_leader"
] as const

/**
 * `done`: the action returns if answers of later scans alone show it again, beyond chance. `dismissed`: it never
 * returns. `later`: it returns on a chosen day.
 */
export const actionStates = ["done", "dismissed", "later"] as const

/** The default and the maximum number of days for which `later` hides an action. */
export const laterDays = { usual: 30, most: 365 } as const
