import { makeWebhookKeys, type WebhookKeys } from "../../webhook.ts"
import type { PlainSecrets } from "./webhookSecrets.ts"

/** The keys of an endpoint's secrets; `next` is of the one that is staged. */
export interface SigningKeys {
  readonly current: WebhookKeys
  readonly next: WebhookKeys | null
}

/** Makes the keys, which takes longer than to sign with them. */
export const makeSigningKeys = ({ current, next }: PlainSecrets): SigningKeys => ({
  current: makeWebhookKeys(current),
  next: next === null ? null : makeWebhookKeys(next)
})
