/**
 * The settings for deliveries that operators of a private network would use: loopback may be called, over http, on any
 * port.
 */
import { layerWebhookSender, parseEgressRules } from "@sov/core/outbound"
import { layerEncryptionKeys } from "@sov/core/postgres"
import { Layer, Redacted, Result } from "effect"

/** The setting that allows webhooks to reach receivers on loopback. */
const loopbackAllowed = { SOV_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8,::1/128", SOV_WEBHOOK_ALLOW_HTTP: "1" }

/** The key that encrypts secrets in tests. */
export const testKey = { id: "k1", bytes: Buffer.alloc(32, 7) }

export const deliveryServices = Layer.mergeAll(
  layerWebhookSender(Result.getOrThrow(parseEgressRules(loopbackAllowed))),
  layerEncryptionKeys(Redacted.make(`k1:${testKey.bytes.toString("base64")}`), null)
)
