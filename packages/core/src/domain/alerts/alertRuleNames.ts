/** The alert rules. Without imports: what lists them need not load Effect. */
export const alertRuleNames = ["sov_drop", "new_mention", "competitor_overtake", "new_competitor"] as const
