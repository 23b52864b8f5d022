/** The section of the account page with a person's ways to sign in. */
import { type AttachedIdentity, ownIssuers, type Person } from "@sov/core/people"
import { to } from "../Address.ts"
import { formatDate } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Theme } from "./Frame.ts"
import { bareLayout } from "./layout.ts"

export interface SignInWaysContent {
  readonly person: Pick<Person, "email">
  /** The person's accounts at other issuers, oldest first. */
  readonly identities: ReadonlyArray<AttachedIdentity>
  /** Whether the server sends sign-in links by e-mail. */
  readonly mails: boolean
}

const removal = "/account/identities/remove"

/** The display name of an issuer. */
const nameOf = (issuer: string): string =>
  issuer === ownIssuers.console
    ? "sov dashboard, on the machine of the database"
    : issuer === ownIssuers.proxy
    ? "The proxy in front of this server"
    : URL.parse(issuer)?.host ?? issuer

const identityRow = ({ createdAt, issuer, subject }: AttachedIdentity): Html => {
  const name = visible(nameOf(issuer))
  const isOwn = issuer === ownIssuers.console
  return html`<tr><th scope="row" class="break">${name}${
    !isOwn && html`<br><small>${visible(subject)}</small>`
  }</th><td>${formatDate(createdAt)}</td><td class="num">${
    !isOwn &&
    html`<a class="button danger" href="${to(removal, { issuer })}">Remove…<span class="hidden"> ${name}</span></a>`
  }</td></tr>`
}

/** Describes the way to sign in that cannot be removed. */
const linkWords = ({ mails, person: { email } }: Pick<SignInWaysContent, "mails" | "person">): Fragment =>
  email === null
    ? html`A link from <code>sov dashboard</code>, which anyone with access to the database can create.`
    : mails
    ? html`A link by e-mail to ${visible(email)}, from the sign-in page.`
    : html`A link that the operator of this server creates with <code>sov member invite ${
      visible(email)
    }</code>. This server does not send e-mail.`

/** The section of the account. */
export const signInWaysSection = (content: SignInWaysContent): Html =>
  html`<section class="panel" aria-labelledby="ways"><header><h2 id="ways">Ways to sign in</h2></header>${
    content.identities.length > 0 &&
    html`<div class="scroll" tabindex="0" role="group" aria-labelledby="ways"><table><thead><tr><th scope="col">Account at</th><th scope="col">Attached</th><th scope="col"><span class="hidden">Change</span></th></tr></thead><tbody>${
      content.identities.map(identityRow)
    }</tbody></table></div>`
  }<p class="small">${linkWords(content)}</p></section>`

export interface RemovalContent extends Omit<SignInWaysContent, "identities"> {
  readonly identity: AttachedIdentity
  readonly theme: Theme | null
}

/** Asks for confirmation before an identity is removed: the consequences, and how to sign in afterwards. */
export const removeIdentityPage = ({ identity: { issuer, subject }, mails, person, theme }: RemovalContent): Html => {
  const name = visible(nameOf(issuer))
  const comesBack = issuer === ownIssuers.proxy
    ? "The next visit through the proxy attaches it again if the proxy still sends this address."
    : `The next account to sign in there with ${
      person.email ?? "your address"
    } as a verified address is attached, even if it is a different account.`
  return bareLayout(
    "Remove a way to sign in",
    html`<div class="top"><div><h1>Remove ${name}</h1><p><a href="${
      to("/account")
    }">Account</a></p></div></div><section class="panel" aria-labelledby="what"><header><h2 id="what">What will happen</h2></header><ul class="bullets"><li>The account ${
      visible(subject)
    } there no longer signs you in. Other browsers that signed in that way are signed out; this one stays signed in.</li><li>${
      visible(comesBack)
    }</li><li>You can still sign in with: ${linkWords({ mails, person })}</li></ul><form method="post" action="${
      to(removal)
    }"><input type="hidden" name="issuer" value="${issuer}"><div class="actions"><button class="danger">Remove ${name}</button><a class="button" href="${
      to("/account")
    }">Cancel</a></div></form></section>`,
    { theme, wide: true }
  )
}
