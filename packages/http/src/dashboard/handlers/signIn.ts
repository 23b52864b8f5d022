/** Signing in with a one-time link, and signing out. */
import { EmailAddress } from "@sov/core/mail"
import { readLoginLink, requestLoginLink, signInWithLink, signOut } from "@sov/core/people"
import { Effect, Schema } from "effect"
import { to } from "../Address.ts"
import { parseNext } from "../guard/cookies.ts"
import { matchesProxyUser } from "../guard/matchesProxyUser.ts"
import { linkRefused, PageRefused } from "../guard/PageRefused.ts"
import type { PageRequest } from "../guard/PageRequest.ts"
import { seeOther, showPage } from "../guard/Reply.ts"
import { linkPage, linkSentPage, signInPage } from "../pages/signIn.ts"
import { signInThroughProxy } from "./sso.ts"

/**
 * GET /login shows the sign-in page; `?next=` is kept in a cookie until the sign-in. A user named by a trusted proxy is
 * signed in at once.
 */
export const showSignIn = (request: PageRequest) => {
  const { mailOrigin, next, openId, proxyUser, query, theme, visitor } = request
  const asked = parseNext(query.get("next"))
  if (visitor !== null) return Effect.succeed(seeOther(to(asked ?? next ?? "/")))
  if (proxyUser !== null) return signInThroughProxy(request, proxyUser, asked ?? next ?? "/")
  const page = signInPage({ canMail: mailOrigin !== null, ssoName: openId?.name ?? null }, theme)
  return Effect.succeed(showPage(page, { cookies: asked === null ? {} : { next: asked } }))
}

const isEmailAddress = Schema.is(EmailAddress)

/**
 * POST /login mails a link. The response is the same for known and unknown addresses, and does not wait for the mail.
 */
export const requestLink = Effect.fnUntraced(function*({ form, mailOrigin, theme }: PageRequest) {
  if (mailOrigin === null) return seeOther(to("/login"))
  const email = (form.get("email") ?? "").trim()
  if (!isEmailAddress(email)) return yield* new PageRefused({ status: 422, words: "Enter a valid e-mail address." })
  const mailing = requestLoginLink(email, mailOrigin)
  yield* mailing.pipe(
    Effect.catch((error) => Effect.logWarning("a sign-in link could not be made", error)),
    Effect.forkDetach
  )
  return showPage(linkSentPage(theme))
})

const refuseLink = () => Effect.fail(linkRefused)

/**
 * The link in the path. Refused if the proxy names a person other than the link's, because the next page would end that
 * session.
 */
const readLink = Effect.fnUntraced(function*({ params, proxyUser, tokenIsKnown }: PageRequest) {
  const token = params["token"] ?? ""
  const link = yield* readLoginLink(token)
  tokenIsKnown()
  if (proxyUser === null || matchesProxyUser(link.person, proxyUser)) return { token, link }
  return yield* new PageRefused({
    status: 403,
    words:
      `The proxy in front of this server has signed you in as ${proxyUser}, but this link is for somebody else. Sign out ` +
      "there, or open the link on the server directly, without the proxy. The link has not been used."
  })
})

/** GET /login/link/{token} does not use up the link, because mail scanners fetch every link. */
export const showLink = Effect.fnUntraced(function*(request: PageRequest) {
  const { link, token } = yield* readLink(request)
  return showPage(linkPage(token, link, request.theme), { secret: true })
}, Effect.catchTag("LinkRefused", refuseLink))

/** POST /login/link/{token} uses up the link and starts a session; the browser's previous session ends. */
export const signIn = Effect.fnUntraced(function*(request: PageRequest) {
  const { next, presented, userAgent } = request
  const link = yield* readLink(request)
  const { token } = yield* signInWithLink(link.token, { presented: presented ?? null, userAgent })
  return seeOther(to(next ?? "/"), { session: token, next: null })
}, Effect.catchTag("LinkRefused", refuseLink))

/** POST /logout */
export const signOutHere = Effect.fnUntraced(function*({ presented }: PageRequest) {
  if (presented !== undefined) yield* signOut(presented)
  return seeOther(to("/login"), { session: null })
})
