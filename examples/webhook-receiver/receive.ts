/** Checks that a request is sov's, and says what it brings. The bytes of the body count: parse them after this. */
import { verifyStandardWebhook, type WebhookHeaders } from "@sov/core/webhook"

const secret = process.env["SOV_WEBHOOK_SECRET"] ?? ""

/** The status to answer with: 204 = taken, 401 = not from sov. */
export const receive = (body: Uint8Array, headers: WebhookHeaders): 204 | 401 => {
  if (!verifyStandardWebhook(body, headers, secret)) return 401
  const { type } = JSON.parse(new TextDecoder().decode(body)) as { readonly type: string }
  console.log(`received ${type}`)
  return 204
}
