/**
 * Which responses of an OpenID Connect issuer are accepted according to OpenID Connect Core 1.0, and how long the
 * server waits for them.
 */
import { it as effectIt } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { makeOpenId, probeOpenId } from "../../../packages/http/src/dashboard/sso/OpenId.ts"
import { openIssuer, type TestIssuer } from "../../support/OpenIdIssuer.ts"
import { client, settingsOf } from "../../support/signInElsewhere.ts"

let issuer: TestIssuer
beforeAll(async () => void (issuer = await openIssuer(client)))
beforeEach(() => {
  issuer.answer()
  issuer.state.user = { sub: randomUUID(), email: "ada@acme.example", email_verified: true }
})
afterAll(() => issuer.close())

/** Signs in at the issuer; returns the query of the callback, and the cookie. */
const goThere = (openId: Effect.Success<ReturnType<typeof makeOpenId>>) =>
  Effect.gen(function*() {
    const { address, attempt } = yield* openId.begin
    const { headers } = yield* Effect.promise(() => fetch(address, { redirect: "manual" }))
    return { query: new URL(headers.get("location")!).searchParams, attempt }
  })

/** Completes a sign-in. */
const signIn = (fields: Parameters<typeof settingsOf>[1] = {}) =>
  Effect.gen(function*() {
    const openId = yield* makeOpenId(settingsOf(issuer, fields), "https://sov.example")
    const { attempt, query } = yield* goThere(openId)
    return yield* openId.finish(query, attempt)
  })
const refusal = (fields?: Parameters<typeof settingsOf>[1]) => Effect.runPromise(Effect.flip(signIn(fields)))

describe("an answer that meets the specification", () => {
  it("an answer that meets the specification identifies the person", async () => {
    const { sub } = issuer.state.user
    expect(await Effect.runPromise(signIn())).toEqual({
      identity: { method: "oidc", issuer: issuer.url, subject: sub, verifiedEmail: "ada@acme.example" },
      email: "ada@acme.example"
    })
  })
  it.each([["client_secret_basic"], ["client_secret_post"], ["client_secret_basic", "client_secret_post"]])(
    "the answer is requested with client authentication %s %s",
    async (...methods) => {
      issuer.answer({
        metadata: (metadata) => ({
          ...metadata,
          token_endpoint_auth_methods_supported: methods.filter((method) => method !== undefined)
        })
      })
      expect((await Effect.runPromise(signIn())).email).toBe("ada@acme.example")
    }
  )
})

describe("an ID token is refused", () => {
  const now = () => Math.floor(Date.now() / 1000)
  it.each([
    ["with another nonce", { claims: (claims: object) => ({ ...claims, nonce: "another" }) }, /"nonce"/],
    ["without a nonce", { claims: (claims: object) => ({ ...claims, nonce: undefined }) }, /"nonce"/],
    ["for another audience", { claims: (claims: object) => ({ ...claims, aud: "another" }) }, /"aud"/],
    ["of another issuer", { claims: (claims: object) => ({ ...claims, iss: "https://x.example" }) }, /"iss"/],
    ["that has expired", { claims: (claims: object) => ({ ...claims, iat: now() - 900, exp: now() - 600 }) }, /"exp"/],
    ["without a subject", { claims: (claims: object) => ({ ...claims, sub: undefined }) }, /"sub"/],
    ["with a subject of 256 characters", { claims: (claims: object) => ({ ...claims, sub: "x".repeat(256) }) }, /255/],
    ["with a subject that no database takes", { claims: (c: object) => ({ ...c, sub: "a\u0000b" }) }, /255/],
    ["that is not signed", { alg: "none" as const }, /"alg"/],
    ["signed with a key that the issuer does not have", { foreignKey: true }, /signature/]
  ])("an ID token is refused: %s", async (_, faults, detail) => {
    issuer.answer(faults)
    expect(await refusal()).toMatchObject({ reason: "unusable", detail: expect.stringMatching(detail) })
  })
  it("an unsigned ID token is refused, even if the issuer announces unsigned tokens", async () => {
    const algorithms = { id_token_signing_alg_values_supported: ["none", "RS256"] }
    issuer.answer({ alg: "none", metadata: (metadata) => ({ ...metadata, ...algorithms }) })
    expect(await refusal()).toMatchObject({ reason: "unusable", detail: expect.stringMatching(/alg|unsupported/) })
    issuer.answer({ metadata: (metadata) => ({ ...metadata, ...algorithms }) })
    await Effect.runPromise(signIn())
  })
})

describe("a code", () => {
  it("a code is redeemed once, with the verifier of the browser that began the sign-in", async () => {
    const { again, first, late, other } = await Effect.runPromise(Effect.gen(function*() {
      const openId = yield* makeOpenId(settingsOf(issuer), "https://sov.example")
      const [one, two] = [yield* goThere(openId), yield* goThere(openId)]
      // The code of one sign-in with the state of the other
      const mixed = new URLSearchParams({ code: one.query.get("code")!, state: two.query.get("state")! })
      const other = yield* Effect.flip(openId.finish(mixed, two.attempt))
      const three = yield* goThere(openId)
      const first = yield* openId.finish(three.query, three.attempt)
      const again = yield* Effect.flip(openId.finish(three.query, three.attempt))
      // Another process does not know that the attempt has ended, so the issuer refuses its code
      const elsewhere = yield* makeOpenId(settingsOf(issuer), "https://sov.example")
      return { first, other, again, late: yield* Effect.flip(elsewhere.finish(three.query, three.attempt)) }
    }))
    expect(other.reason).toBe("stale")
    expect(first.email).toBe("ada@acme.example")
    expect(again).toMatchObject({ reason: "stale", detail: "this attempt has ended before" })
    expect(late).toMatchObject({ reason: "stale", detail: expect.stringContaining("invalid_grant") })
  })
})

describe("an unusable issuer", () => {
  it("an unusable issuer is reported with the reason but without the secret", async () => {
    const wrong = await refusal({ clientSecret: Redacted.make("wrong-secret") })
    expect(wrong.detail).toBe("the issuer does not accept SOV_OIDC_CLIENT_ID with SOV_OIDC_CLIENT_SECRET")
    for (const status of [404, 301]) {
      issuer.answer({ status })
      expect(await Effect.runPromise(Effect.flip(probeOpenId(settingsOf(issuer))))).toMatchObject({
        reason: "unusable"
      })
    }
    issuer.answer({ metadata: (metadata) => ({ ...metadata, issuer: "https://another.example" }) })
    expect(await refusal()).toMatchObject({ reason: "unusable", detail: expect.stringContaining("issuer") })
  })
  it("an issuer over http on another machine is unusable", async () => {
    const fault = await refusal({ issuer: "http://issuer.invalid" })
    expect(fault).toMatchObject({ reason: "unusable", detail: expect.stringContaining("HTTPS") })
  })
  effectIt.effect("was given up after eight seconds", () =>
    Effect.gen(function*() {
      const openId = yield* makeOpenId(settingsOf(issuer), "https://sov.example")
      const { attempt, query } = yield* goThere(openId)
      issuer.answer({ hangs: true })
      issuer.asked.length = 0
      const finishing = yield* Effect.forkChild(Effect.flip(openId.finish(query, attempt)))
      yield* Effect.promise(() => expect.poll(() => issuer.asked).toEqual(["/token"]))
      yield* TestClock.adjust("7999 millis")
      expect(finishing.pollUnsafe()).toBe(undefined)
      yield* TestClock.adjust("1 millis")
      // Earlier than the five seconds that a single request may take
      yield* Effect.promise(() =>
        expect.poll(() => finishing.pollUnsafe() !== undefined, { timeout: 4_500 }).toBe(true)
      )
      expect((yield* Fiber.join(finishing)).reason).toBe("unreachable")
    }))
})

describe("the cookie of an attempt", () => {
  it("the cookie of an attempt differs each time, and can be decrypted only with the same settings", async () => {
    const others = [{ clientSecret: Redacted.make("another") }, { clientId: "another" }]
    await Effect.runPromise(Effect.gen(function*() {
      const openId = yield* makeOpenId(settingsOf(issuer), "https://sov.example")
      const same = yield* makeOpenId(settingsOf(issuer), "https://sov.example")
      const { attempt, query } = yield* goThere(openId)
      expect((yield* openId.begin).attempt).not.toBe(attempt)
      for (const fields of others) {
        const other = yield* makeOpenId(settingsOf(issuer, fields), "https://sov.example")
        expect((yield* Effect.flip(other.finish(query, attempt))).reason).toBe("stale")
      }
      yield* same.finish(query, attempt)
    }))
  })
})
