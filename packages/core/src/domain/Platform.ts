import { Schema } from "effect"

/** The five answer platforms, by the neutral names of the service contract (service.md §2). */
export const platformIds = ["assistant_a", "assistant_b", "assistant_c", "assistant_d", "assistant_e"] as const

export const PlatformId = Schema.Literals(platformIds).annotate({
  identifier: "PlatformId",
  message: `must be one of ${platformIds.join(", ")}`
})
export type PlatformId = typeof PlatformId.Type
