/** What deliveries need, as operators of a private network set it: loopback may be called, over http, on any port. */
import { layerWebhookSender, parseEgressRules } from "@sov/core/outbound"
import { layerEncryptionKeys } from "@sov/core/postgres"
import { Layer, Redacted, Result } from "effect"

/** What lets webhooks go to receivers on loopback. */
const loopbackAllowed = { SOV_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8,::1/128", SOV_WEBHOOK_ALLOW_HTTP: "1" }

/** What secrets of tests are sealed with. */
export const testKey = { id: "k1", bytes: Buffer.alloc(32, 7) }

export const deliveryServices = Layer.mergeAll(
  layerWebhookSender(Result.getOrThrow(parseEgressRules(loopbackAllowed))),
  layerEncryptionKeys(Redacted.make(`k1:${testKey.bytes.toString("base64")}`), null)
)
