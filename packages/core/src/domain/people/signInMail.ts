/** The e-mails that carry a sign-in link. */
import { defaultPlace, formatsOf } from "../formats.ts"
import type { MailContent } from "../mail/Mail.ts"
import { renderMail } from "../mail/renderMail.ts"
import type { Role } from "./Role.ts"

/** The address of a sign-in link; `origin` is the server's address without a trailing slash. */
export const formatLinkUrl = (origin: string, token: string): string => `${origin}/login/link/${token}`

const once = (until: Date, timeZone = defaultPlace.timeZone): string =>
  `The link works once and expires on ${formatsOf({ ...defaultPlace, timeZone }).minute(until)}.`

/** The e-mail with a link that was requested at the sign-in page. */
export const renderSignInMail = ({ until, url }: { readonly url: string; readonly until: Date }): MailContent =>
  renderMail({
    subject: "Sign in to sov",
    opening: "Open this link to sign in:",
    facts: [],
    paragraphs: [url, once(until)],
    footer: ["If you did not request this, somebody else entered your address. They cannot sign in without the link."]
  })

/** Maximum number of organizations that one sentence names; if there are more, the e-mail lists all of them. */
const maxNamed = 2

const listed = (names: ReadonlyArray<string>): string =>
  names.length <= maxNamed ? names.join(" and ") : `${names[0]} and ${names.length - 1} more organizations`

/** The e-mail with an invitation to one or several organizations. */
export const renderInvitationMail = ({ invitedBy, organizations, role, timeZone, until, url }: {
  /** Names of the organizations; at least one. */
  readonly organizations: ReadonlyArray<string>
  readonly role: Role
  readonly timeZone: string
  /** Null if the invitation came from the command line. */
  readonly invitedBy: string | null
  readonly url: string
  readonly until: Date
}): MailContent =>
  renderMail({
    subject: `${listed(organizations)}: you are invited to sov`,
    opening: `${invitedBy ?? "An administrator"} invites you to ${listed(organizations)} as ${
      role === "owner" ? "an owner" : `a ${role}`
    }. Open this link to sign in:`,
    facts: organizations.length > maxNamed ? organizations.map((name, n) => [String(n + 1), name] as const) : [],
    paragraphs: [url, once(until, timeZone)],
    footer: ["sov tracks the share of voice of a brand in AI answers."]
  })
