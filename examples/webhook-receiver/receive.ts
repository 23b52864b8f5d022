/** Checks that a request is sov's, and says what it brings. The bytes of the body count: parse them after this. */
import { verifyStandardWebhook, type WebhookHeaders } from "@sov/core/webhook"

const secret = process.env["SOV_SIGNING_SECRET"]
if (secret === undefined) throw new Error("set SOV_SIGNING_SECRET to the secret that `sov webhook add` printed")

/** The status to answer with: 204 = taken, 401 = not from sov. */
export const receive = (body: Uint8Array, headers: WebhookHeaders): 204 | 401 => {
  if (!verifyStandardWebhook(body, headers, secret)) return 401
  const { event } = JSON.parse(new TextDecoder().decode(body)) as { readonly event: string }
  console.log(`received ${event}`)
  return 204
}
