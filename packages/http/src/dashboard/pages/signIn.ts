/** Pages for people who are not signed in. */
import { maxEmailLength } from "@sov/core/mail"
import type { Membership, Person } from "@sov/core/people"
import { to } from "../Address.ts"
import { formatMinute } from "../charts/numbers.ts"
import { type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Theme } from "./Frame.ts"
import { bareLayout } from "./layout.ts"

/** The ways to sign in that a server offers. */
export interface SignInWays {
  /** Whether a mail server is configured. Without a mail server, the page has no field for an e-mail address. */
  readonly canMail: boolean
  /** Display name of the issuer for sign-ins; null = not configured. */
  readonly ssoName: string | null
}

/** The sign-in page. */
export const signInPage = ({ canMail, ssoName }: SignInWays, theme: Theme | null): Html =>
  bareLayout(
    "Sign in",
    html`<h1>Sign in to sov</h1>${
      canMail
        ? html`<form method="post" action="${
          to("/login")
        }"><label>E-mail address<input type="email" name="email" autocomplete="email" maxlength="${maxEmailLength}" required></label><button class="primary">Send me a link</button></form>`
        : html`<p>Open the sign-in link that you were given. For a new one, ask an owner of your organization or the operator of this server.</p>`
    }${
      // A link instead of a form, because the policy would block a form whose response redirects to another site
      ssoName !== null &&
      html`<p><a class="button" href="${to("/login/sso")}">Sign in with ${
        visible(ssoName)
      }</a></p>`}<p class="small">On the server, <code>sov dashboard</code> opens a sign-in link.</p>`,
    { theme }
  )

/** The page after somebody entered an e-mail address. It is the same for known and unknown addresses. */
export const linkSentPage = (theme: Theme | null): Html =>
  bareLayout(
    "Check your e-mail",
    html`<h1>Check your e-mail</h1><p>If that address belongs to a member, a link is on its way. It works once, for 15 minutes.</p><p><a href="${
      to("/login")
    }">Enter another address</a></p>`,
    { theme }
  )

/** The person whom a link signs in, and when the link expires. */
export interface LinkContent {
  readonly person: Pick<Person, "name">
  readonly memberships: ReadonlyArray<Membership>
  readonly expiresAt: Date
}

/** The page that a sign-in link opens, with the form that uses up the link. */
export const linkPage = (token: string, { expiresAt, memberships, person }: LinkContent, theme: Theme | null): Html => {
  const [only, ...others] = memberships
  const where = only === undefined
    ? null
    : others.length === 0
    ? `to ${only.organization.name}, as ${only.role}`
    : `to ${memberships.length} organizations`
  return bareLayout(
    "Sign in",
    html`<h1>Sign in as ${visible(person.name)}</h1><p>${
      where !== null && `${visible(where)}. `
    }The link works once, until ${formatMinute(expiresAt)}.</p><form method="post" action="${
      to(`/login/link/${token}`)
    }"><button class="primary">Sign in</button></form>`,
    { theme }
  )
}
