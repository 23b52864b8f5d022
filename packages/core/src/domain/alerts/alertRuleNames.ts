/**
 * The names of the alert rules. This file has no imports, so that commands can list the names without loading Effect.
 */
export const alertRuleNames = [
  "sov_drop",
  "new_mention",
  "competitor_overtake",
  "new_competitor",
  "platform_changed",
  "fact_contradicted"
] as const
