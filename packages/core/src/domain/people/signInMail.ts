/** The e-mails that carry a sign-in link. */
import { formatsOf, housePlace } from "../formats.ts"
import type { MailContent } from "../mail/Mail.ts"
import { renderMail } from "../mail/renderMail.ts"
import type { Role } from "./Role.ts"

/** The address of a link, from the server's address without a trailing slash. */
export const formatLinkUrl = (origin: string, token: string): string => `${origin}/login/link/${token}`

const once = (until: Date, timeZone = housePlace.timeZone): string =>
  `The link works once and expires on ${formatsOf({ ...housePlace, timeZone }).minute(until)}.`

/** The e-mail with a link that was requested at the sign-in page. */
export const renderSignInMail = ({ until, url }: { readonly url: string; readonly until: Date }): MailContent =>
  renderMail({
    subject: "Sign in to sov",
    opening: "Open this link to sign in:",
    facts: [],
    paragraphs: [url, once(until)],
    footer: ["If you did not request this, somebody else entered your address. They cannot sign in without the link."]
  })

/** The e-mail with an invitation to an organization. */
export const renderInvitationMail = ({ invitedBy, organization, role, timeZone, until, url }: {
  readonly organization: string
  readonly role: Role
  readonly timeZone: string
  /** Null if the invitation came from the command line. */
  readonly invitedBy: string | null
  readonly url: string
  readonly until: Date
}): MailContent =>
  renderMail({
    subject: `${organization}: you are invited to sov`,
    opening: `${invitedBy ?? "An administrator"} invites you to ${organization} as ${
      role === "owner" ? "an owner" : `a ${role}`
    }. Open this link to sign in:`,
    facts: [],
    paragraphs: [url, once(until, timeZone)],
    footer: ["sov tracks the share of voice of a brand in AI answers."]
  })
