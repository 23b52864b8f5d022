import { Schema } from "effect"
import { createHash } from "node:crypto"

/** The five answer platforms, by the neutral names of the service contract (service.md §2). */
export const platformIds = ["assistant_a", "assistant_b", "assistant_c", "assistant_d", "assistant_e"] as const

export const PlatformId = Schema.Literals(platformIds).annotate({
  identifier: "PlatformId",
  message: `must be one of ${platformIds.join(", ")}`
})
export type PlatformId = typeof PlatformId.Type

/** A platform as people see it: `ChatGPT (assistant_a)`, or the identifier alone where the operator gave it no label. */
export const namePlatform = ({ id, label }: { readonly id: PlatformId; readonly label?: string }): string =>
  label === undefined ? id : `${label} (${id})`

/** What stands behind a platform's name. */
export interface Provider {
  /** Adapter's name as in `sov.config.json`, e.g. `openai-compatible`. */
  readonly adapter: string
  readonly model: string
  /** Where it is asked; left out where there is no address. */
  readonly baseUrl?: string
}

/** sha256 (hex) of what stands behind a platform's name: how one provider does says nothing of the next. */
export const providerDigest = ({ adapter, baseUrl, model }: Provider): string =>
  createHash("sha256").update(JSON.stringify([adapter, model, baseUrl ?? null])).digest("hex")
