/** What the people of an organization are told when a platform's API or model has ended. */
import { createHash } from "node:crypto"
import type { EventId, OrganizationId } from "../ids.ts"
import type { MailContent } from "../mail/Mail.ts"
import { renderMail } from "../mail/renderMail.ts"
import { namePlatform, type PlatformId, type Provider, providerDigest } from "./Platform.ts"

/** A platform whose API or model has ended. */
export interface EndedPlatform extends Provider {
  readonly id: PlatformId
  readonly label?: string
}

/** The e-mail's id: the same for the same organization, provider and UTC day, so that each day has one at most. */
export const makeEndedMailId = (organizationId: OrganizationId, platform: EndedPlatform, at: Date): EventId => {
  const day = at.toISOString().slice(0, 10)
  const hash = createHash("sha256")
    .update(JSON.stringify(["platform ended", organizationId, platform.id, providerDigest(platform), day]))
    .digest("hex")
  // RFC 9562 §5.8: a UUID of version 8 holds what its maker wants
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`]
  return [...parts, hash.slice(20, 32)].join("-") as EventId
}

/** Writes the e-mail; `message` is the failure's, `organization` the name of whose scan it was. */
export const renderEndedMail = (platform: EndedPlatform, message: string, organization: string): MailContent => {
  const name = namePlatform(platform)
  return renderMail({
    subject: `${name} cannot be asked: its API or model has ended`,
    opening: `${name} no longer answers. Its questions failed; the other platforms were asked as usual.`,
    facts: [["Platform", name], ["Adapter", platform.adapter], ["Model", platform.model], ["Reply", message]],
    paragraphs: [
      `What to do: set model, and baseUrl if it is set, of platforms.${platform.id} in sov.config.json to what the provider ` +
      "offers now. docs/platforms.md lists the current names.",
      `To test it: sov platform test ${platform.id}`,
      "You receive this e-mail at most once a day."
    ],
    footer: [
      `You receive this e-mail as an alert recipient of ${organization}. To change recipients: sov alert set --email`
    ]
  })
}
