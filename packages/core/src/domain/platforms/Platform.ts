import { Schema } from "effect"
import { createHash } from "node:crypto"

/** The five answer platforms. The API, the CLI and the database use these neutral names. */
export const platformIds = ["assistant_a", "assistant_b", "assistant_c", "assistant_d", "assistant_e"] as const

export const PlatformId = Schema.Literals(platformIds).annotate({
  identifier: "PlatformId",
  message: `must be one of ${platformIds.join(", ")}`
})
export type PlatformId = typeof PlatformId.Type

/** The platform with its label, if it has a label. */
export const labelled = (id: PlatformId, labels: ReadonlyMap<PlatformId, string> = new Map()) => {
  const label = labels.get(id)
  return label === undefined ? { id } : { id, label }
}

/** A platform's name for people: `ChatGPT (assistant_a)`, or only the identifier if the operator gave it no label. */
export const namePlatform = ({ id, label }: { readonly id: PlatformId; readonly label?: string }): string =>
  label === undefined ? id : `${label} (${id})`

/** The provider and model behind a platform's name. */
export interface Provider {
  /** The adapter's name in `sov.config.json`, e.g. `openai-compatible`. */
  readonly adapter: string
  readonly model: string
  /** The address of the platform's API; left out for a platform without an API. */
  readonly baseUrl?: string
}

/** Whether the announced last day of a model (UTC, `2026-12-31`) has passed, or is at most 30 days after `at`. */
export const endsSoon = (endsOn: string, at: Date): boolean => Date.parse(endsOn) - at.getTime() <= 30 * 86_400_000

/**
 * sha256 (hex) of a provider. The health of one provider says nothing about another provider that has the same platform
 * name.
 */
export const providerDigest = ({ adapter, baseUrl, model }: Provider): string =>
  createHash("sha256").update(JSON.stringify([adapter, model, baseUrl ?? null])).digest("hex")
