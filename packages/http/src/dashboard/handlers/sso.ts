/** Sign-in through an OpenID Connect issuer or a trusted proxy. */
import { EmailAddress } from "@sov/core/mail"
import { signInWithIdentity, signOut } from "@sov/core/people"
import { Effect, Schema } from "effect"
import { externalAddress, to } from "../Address.ts"
import { parseNext } from "../guard/cookies.ts"
import { noSuchPage, PageRefused } from "../guard/PageRefused.ts"
import type { PageRequest } from "../guard/PageRequest.ts"
import { type CookieChanges, type PageReply, seeOther, showPage } from "../guard/Reply.ts"
import { type RefusedContent, signInRefusedPage } from "../pages/sso.ts"
import type { OpenId } from "../sso/OpenId.ts"
import { SignInFailed } from "../sso/SignInFailed.ts"

type Refusal = Omit<RefusedContent, "requestId">

const refuse = ({ requestId, theme }: PageRequest, refusal: Refusal, cookies: CookieChanges = {}): PageReply =>
  showPage(signInRefusedPage({ ...refusal, requestId }, theme), { status: refusal.status, cookies })

/** The message on the page for each reason. */
const describeFailure = ({ reason }: SignInFailed, name: string): Refusal => {
  switch (reason) {
    case "stale":
      return {
        status: 400,
        words:
          "This sign-in was already used, started more than ten minutes ago, or started in another browser. Try again.",
        again: true
      }
    case "denied":
      return {
        status: 403,
        words: `${name} did not let you in. Try again, or ask the administrator of ${name} for access to sov.`,
        again: true
      }
    case "unreachable":
      return {
        status: 503,
        words: `${name} is not responding. Try again in a minute, or sign in with a link.`,
        again: true
      }
    case "unusable":
      return {
        status: 502,
        words:
          `The response of ${name} could not be accepted, so you were not signed in. Try again. If that does not help, ` +
          "the operator of this server can find the reason in its log under the request ID below.",
        again: true
      }
  }
}

/** Tells the visitor why the sign-in failed, and logs the details, which only the operator may see. */
const explain = (request: PageRequest, name: string, cookies: CookieChanges) => (failed: SignInFailed) =>
  Effect.logWarning(`signing in with OpenID Connect failed: ${failed.detail}`).pipe(
    Effect.annotateLogs({ request_id: request.requestId, reason: failed.reason }),
    Effect.as(refuse(request, describeFailure(failed, name), cookies))
  )

const withIssuer = <A, E, R>(
  { openId }: PageRequest,
  use: (openId: OpenId) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | typeof noSuchPage, R> => openId === null ? Effect.fail(noSuchPage) : use(openId)

/** GET /login/sso redirects to the issuer; `?next=` is kept in the same way as on the sign-in page. */
export const beginSignIn = (request: PageRequest) =>
  withIssuer(request, ({ begin, name }) =>
    Effect.gen(function*() {
      const { address, attempt } = yield* begin
      const issuer = externalAddress(address)
      if (issuer === null) return yield* new SignInFailed({ reason: "unusable", detail: "its address is not http(s)" })
      const asked = parseNext(request.query.get("next"))
      return seeOther(issuer, { attempt, ...asked === null ? {} : { next: asked } })
    }).pipe(Effect.catchTag("SignInFailed", explain(request, name, {}))))

/**
 * GET /login/sso/callback: where the issuer sends people back. It ends the attempt, whether or not the sign-in
 * succeeds.
 */
export const finishSignIn = (request: PageRequest) =>
  withIssuer(request, ({ finish, name }) =>
    Effect.gen(function*() {
      const { next, presented, query, userAgent } = request
      const { email, identity } = yield* finish(query, request.attempt)
      const signedIn = signInWithIdentity(identity, { presented: presented ?? null, userAgent })
      return yield* signedIn.pipe(
        Effect.map(({ token }) => seeOther(to(next ?? "/"), { session: token, next: null, attempt: null })),
        Effect.catchTag("IdentityRefused", () =>
          Effect.succeed(
            refuse(request, describeUnknown(name, email, identity.verifiedEmail !== null), { attempt: null })
          ))
      )
    }).pipe(Effect.catchTag("SignInFailed", explain(request, name, { attempt: null }))))

const askOwner = "Ask an owner of your organization to invite you"

/** The refusal for a person who has an account at the issuer but none on this server. */
const describeUnknown = (name: string, email: string | null, isVerified: boolean): Refusal => ({
  status: 403,
  words: email === null
    ? `${name} did not provide your e-mail address, so no invitation can be found. Ask the administrator of ${name} to share it with sov.`
    : isVerified
    ? `Nobody is invited as ${email}, or that address signs in with another account of ${name}. ${askOwner}.`
    : `${name} has not verified that ${email} is yours. Verify it there and try again, or sign in with a link.`,
  again: email !== null && !isVerified
})

const isEmailAddress = Schema.is(EmailAddress)

const signedInTooOften = new PageRefused({
  status: 429,
  words:
    "You have signed in through the proxy too often in the last hour. Wait, or keep the cookie that the server sets."
})

/**
 * Signs in the person whose e-mail address the trusted proxy sends, then redirects. A person who was signed in before
 * with the same kind of browser, but lost the session cookie, gets the same session again.
 */
export const signInThroughProxy = Effect.fnUntraced(
  function*(request: PageRequest, proxyUser: string, next: `/${string}`) {
    const { presented, proxySignIns, userAgent } = request
    if (!isEmailAddress(proxyUser)) {
      const words =
        `The proxy in front of this server names you as ${JSON.stringify(proxyUser)}, which is not an e-mail ` +
        "address. The operator of the server can configure the proxy to send one."
      return refuse(request, { status: 403, words, again: false })
    }
    const kept = yield* proxySignIns.find(proxyUser, userAgent)
    if (kept !== null) {
      if (presented !== undefined && presented !== kept) yield* signOut(presented)
      return seeOther(to(next), { session: kept, next: null })
    }
    const identity = { method: "proxy", subject: proxyUser.toLowerCase(), verifiedEmail: proxyUser } as const
    if (!(yield* proxySignIns.mayBegin(proxyUser))) return yield* signedInTooOften
    return yield* signInWithIdentity(identity, { presented: presented ?? null, userAgent }).pipe(
      Effect.tap(({ token }) => proxySignIns.keep(proxyUser, userAgent, token)),
      Effect.map(({ token }) => seeOther(to(next), { session: token, next: null })),
      Effect.catchTag("IdentityRefused", () =>
        Effect.succeed(
          refuse(request, { status: 403, words: `Nobody is invited as ${proxyUser}. ${askOwner}.`, again: false })
        ))
    )
  }
)
