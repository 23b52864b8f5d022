/** The e-mail to recipients when a platform's account has no credit, or when its API or model has ended. */
import { createHash } from "node:crypto"
import type { EventId, OrganizationId } from "../ids.ts"
import type { MailContent } from "../mail/Mail.ts"
import { renderMail } from "../mail/renderMail.ts"
import { namePlatform, type PlatformId, type Provider, providerDigest } from "./Platform.ts"

/** A platform that cannot be asked until the operator acts. */
interface UnusablePlatform extends Provider {
  readonly id: PlatformId
  readonly label?: string
}

/** Why the platform cannot be asked; `message` comes from the failure. */
export interface WhyUnusable {
  readonly reason: "no_credit" | "ended"
  readonly message: string
}

/** The e-mail's id, which stays the same throughout a UTC day, so that at most one is sent per day. */
export const makeEndedMailId = (
  organizationId: OrganizationId,
  platform: UnusablePlatform,
  at: Date,
  reason: WhyUnusable["reason"] = "ended"
): EventId => {
  const day = at.toISOString().slice(0, 10)
  const hash = createHash("sha256")
    .update(JSON.stringify([`platform ${reason}`, organizationId, platform.id, providerDigest(platform), day]))
    .digest("hex")
  // RFC 9562 §5.8 leaves the content of a version 8 UUID to its maker
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`]
  return [...parts, hash.slice(20, 32)].join("-") as EventId
}

const words = {
  no_credit: {
    subject: "its account has no credit",
    opening: "does not answer: the provider's account cannot pay. It is asked again in an hour.",
    advice: () => "What to do: add credit at the provider, or raise the account's limit."
  },
  ended: {
    subject: "its API or model has ended",
    opening: "no longer answers.",
    advice: (id: PlatformId) =>
      `What to do: set model, and baseUrl if it is set, of platforms.${id} in sov.config.json to what the provider ` +
      "offers now. https://github.com/sov-tracker/sov/blob/main/docs/platforms.md lists the current names."
  }
}

/** Writes the e-mail; `organization` is the name of the scan's organization. */
export const renderUnusableMail = (
  platform: UnusablePlatform,
  { message, reason }: WhyUnusable,
  organization: string
): MailContent => {
  const name = namePlatform(platform)
  const { advice, opening, subject } = words[reason]
  return renderMail({
    subject: `${name} cannot be asked: ${subject}`,
    opening: `${name} ${opening} Its questions failed; the other platforms were asked as usual.`,
    facts: [["Platform", name], ["Adapter", platform.adapter], ["Model", platform.model], ["Reply", message]],
    paragraphs: [
      advice(platform.id),
      `To test it: sov platform test ${platform.id}`,
      "You receive this e-mail at most once a day."
    ],
    footer: [
      `You receive this e-mail as an alert recipient of ${organization}. To change recipients: sov alert set --email`
    ]
  })
}
