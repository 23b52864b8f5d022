import { makeWebhookKeys, type WebhookKeys } from "../../webhook.ts"
import type { PlainSecrets } from "./webhookSecrets.ts"

/** The keys made from an endpoint's secrets; `next` belongs to the staged secret. */
export interface SigningKeys {
  readonly current: WebhookKeys
  readonly next: WebhookKeys | null
}

/** Derives the keys, which takes longer than signing with them. */
export const makeSigningKeys = ({ current, next }: PlainSecrets): SigningKeys => ({
  current: makeWebhookKeys(current),
  next: next === null ? null : makeWebhookKeys(next)
})
