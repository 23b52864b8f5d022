/** Signs in people through an OpenID Connect issuer: the code flow with PKCE, state and nonce. */
import { isLoopback } from "@sov/core/common"
import { EmailAddress } from "@sov/core/mail"
import type { AssertedIdentity } from "@sov/core/people"
import { Clock, Duration, Effect, Redacted, Schema } from "effect"
import type * as Client from "openid-client"
import { type Attempt, makeAttemptSeal, maxAttemptAge } from "./attempt.ts"
import type { OpenIdSettings } from "./OpenIdSettings.ts"
import { SignInFailed, toSignInFailed } from "./SignInFailed.ts"

/** The redirect path, relative to the public URL; it must be registered at the issuer. */
const callbackPath = "/login/sso/callback"

/** What the issuer states about a person who returned from it. */
export interface AssertedPerson {
  readonly identity: AssertedIdentity
  /** The e-mail address from the issuer, verified or not; null if the issuer gives none. */
  readonly email: EmailAddress | null
}

/** The issuer, as used by the sign-in pages. */
export interface OpenId {
  /** The display name of the issuer. */
  readonly name: string
  /** Starts a sign-in: returns the address to open, and the value of a cookie that must come back. */
  readonly begin: Effect.Effect<{ readonly address: string; readonly attempt: string }, SignInFailed>
  /** Completes a sign-in: `query` is from the issuer's redirect, `attempt` is the cookie. */
  readonly finish: (query: URLSearchParams, attempt: string | undefined) => Effect.Effect<AssertedPerson, SignInFailed>
}

/** Time limit of each request to the issuer, in seconds. */
const requestTimeout = 5
/**
 * Time limit for the requests of a sign-in, up to four. It is shorter than that of a page, which can then report the
 * issuer.
 */
const maxWait = Duration.seconds(8)
/** Age at which the issuer's metadata is fetched again. Signing keys are fetched again when one is missing. */
const discoveryLifetime = Duration.hours(1)

const isEmailAddress = Schema.is(EmailAddress)
/** OpenID Connect Core §2: at most 255 ASCII characters. */
const subjectPattern = /^[\x20-\x7e]{1,255}$/

const unreachable = new SignInFailed({ reason: "unreachable", detail: "no answer in time" })

const ask = <A>(request: () => Promise<A>): Effect.Effect<A, SignInFailed> =>
  Effect.tryPromise({ try: request, catch: toSignInFailed })

const inTime = Effect.timeoutOrElse({ duration: maxWait, orElse: () => Effect.fail(unreachable) })

/** Fetches the issuer's metadata. The library is loaded at the first sign-in, because most servers never need it. */
const discover = ({ clientId, clientSecret, issuer }: OpenIdSettings) =>
  ask(async () => {
    const client = await import("openid-client")
    const url = new URL(issuer)
    const secret = Redacted.value(clientSecret)
    const [inBody, inHeader] = [client.ClientSecretPost(secret), client.ClientSecretBasic(secret)]
    // In the body if the server lists `client_secret_post`, else in a header, which is the default for a server that
    // lists nothing (OpenID Connect Discovery §3)
    const authenticate: Client.ClientAuth = (server, ...request) =>
      (server.token_endpoint_auth_methods_supported?.includes("client_secret_post") === true ? inBody : inHeader)(
        server,
        ...request
      )
    const config = await client.discovery(url, clientId, {}, authenticate, {
      timeout: requestTimeout,
      execute: [client.enableNonRepudiationChecks, ...isLoopback(url.hostname) ? [client.allowInsecureRequests] : []]
    })
    return { client, config }
  })

/** Checks that the issuer responds and matches the settings. */
export const probeOpenId = (settings: OpenIdSettings): Effect.Effect<void, SignInFailed> =>
  Effect.asVoid(discover(settings))

/** The claims about the user. If the ID token has no e-mail address, the userinfo endpoint is asked. */
const readClaims = async (client: typeof Client, config: Client.Configuration, tokens: TokenAnswer) => {
  const claims = tokens.claims()
  if (claims === undefined) throw new Error("no ID token")
  if (claims["email"] !== undefined || config.serverMetadata().userinfo_endpoint === undefined) return claims
  const { email, email_verified } = await client.fetchUserInfo(config, tokens.access_token, claims.sub)
  return { ...claims, email, email_verified }
}
type TokenAnswer = Awaited<ReturnType<typeof Client.authorizationCodeGrant>>

const toAsserted = ({ email, email_verified, iss, sub }: Awaited<ReturnType<typeof readClaims>>) => {
  if (!subjectPattern.test(sub)) {
    return Effect.fail(
      new SignInFailed({ reason: "unusable", detail: "the subject is no text of 255 ASCII characters" })
    )
  }
  const given = isEmailAddress(email) ? email : null
  return Effect.succeed(
    {
      identity: { method: "oidc", issuer: iss, subject: sub, verifiedEmail: email_verified === true ? given : null },
      email: given
    } as const
  )
}

/**
 * Creates the client of an issuer. `publicUrl` is the scheme and host that browsers use. The issuer is first contacted
 * at the first sign-in.
 */
export const makeOpenId = Effect.fnUntraced(function*(settings: OpenIdSettings, publicUrl: string) {
  const { open, seal } = makeAttemptSeal(settings)
  const redirectUri = `${publicUrl}${callbackPath}`
  // The first caller may be interrupted while others wait for the same metadata
  const [discovered, forget] = yield* Effect.cachedInvalidateWithTTL(
    Effect.uninterruptible(discover(settings)),
    discoveryLifetime
  )
  const found = Effect.tapError(discovered, () => forget)
  /** When each attempt began that ended in this process, by its OAuth `state`. Expired attempts are removed. */
  const ended = new Map<string, number>()
  /** Ends the attempt, whether or not the sign-in succeeds; false if the attempt had already ended. */
  const endAttempt = ({ begunAt, state }: Attempt, now: number): boolean => {
    for (const [other, begun] of ended) if (now - begun >= Duration.toMillis(maxAttemptAge)) ended.delete(other)
    if (ended.has(state)) return false
    ended.set(state, begunAt)
    return true
  }

  const openId: OpenId = {
    name: settings.name,
    begin: Effect.gen(function*() {
      const { client, config } = yield* found
      const attempt = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        begunAt: yield* Clock.currentTimeMillis
      }
      const challenge = yield* ask(() => client.calculatePKCECodeChallenge(attempt.verifier))
      const address = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: "openid email",
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: challenge,
        code_challenge_method: "S256"
      })
      return { address: address.href, attempt: seal(attempt) }
    }).pipe(inTime),
    finish: Effect.fnUntraced(function*(query, cookie) {
      const now = yield* Clock.currentTimeMillis
      const attempt = open(cookie, now)
      if (attempt === null || query.getAll("state").join(" ") !== attempt.state) {
        return yield* new SignInFailed({ reason: "stale", detail: "no attempt of this browser has this state" })
      }
      if (!endAttempt(attempt, now)) {
        return yield* new SignInFailed({ reason: "stale", detail: "this attempt has ended before" })
      }
      const { client, config } = yield* found
      const claims = yield* ask(async () => {
        const tokens = await client.authorizationCodeGrant(config, new URL(`${redirectUri}?${query.toString()}`), {
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
          pkceCodeVerifier: attempt.verifier,
          idTokenExpected: true
        })
        return readClaims(client, config, tokens)
      })
      return yield* toAsserted(claims)
    }, inTime)
  }
  return openId
})
