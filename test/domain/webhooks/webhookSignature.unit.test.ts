/** Signatures of webhooks: against openssl, against the libraries of others, and against tampering. */
import { formatWebhookSecret } from "@sov/core"
import { signBody, signStandardWebhook, verifySignature, verifyStandardWebhook } from "@sov/core/webhook"
import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { Webhook as StandardWebhook } from "standardwebhooks"
import { Webhook as SvixWebhook } from "svix"
import { describe, expect, it } from "vitest"

const secret = formatWebhookSecret(randomBytes(32))
const other = formatWebhookSecret(randomBytes(32))
const bodies = ["{}", "{\"event\":\"scan.completed\",\"data\":{\"competitor_name\":\"Ümläut 🛠️ \\u0000\"}}", "", "\n"]

/** The headers of one delivery, now. */
const headersOf = (
  body: string,
  secrets: string | ReadonlyArray<string> = secret,
  seconds = Math.floor(Date.now() / 1000)
) => ({
  "webhook-id": "0199-id",
  "webhook-timestamp": String(seconds),
  "webhook-signature": signStandardWebhook({ id: "0199-id", timestamp: seconds, body }, secrets)
})

describe("the signature that the service document defines", () => {
  it("the signature equals the one that openssl computes", () => {
    for (const body of bodies) {
      const printed = execFileSync("openssl", ["dgst", "-sha256", "-hmac", secret], { input: body }).toString()
      expect(printed.trim().split(" ").at(-1)).toBe(signBody(body, secret))
      expect(verifySignature(body, signBody(body, secret), secret)).toBe(true)
      expect(verifySignature(Buffer.from(body), signBody(body, secret), [other, Buffer.from(secret)])).toBe(true)
    }
  })

  const body = bodies[1]!
  const good = signBody(body, secret)
  it.each([
    ["another body", `${body} `, good],
    ["another secret", body, signBody(body, other)],
    ["upper case", body, good.toUpperCase()],
    ["a cut", body, good.slice(0, -1)],
    ["more", body, `${good}0`],
    ["a line end", body, `${good}\n`],
    ["nothing", body, ""],
    ["null", body, null],
    ["no hex", body, "g".repeat(64)],
    ["a list", body, [good] as unknown as string],
    ["one bit less", body, good.replace(/.$/, (digit) => (Number.parseInt(digit, 16) ^ 1).toString(16))]
  ])("the signature is refused without an exception: %s", (_, given, signature) => {
    expect(verifySignature(given, signature, secret)).toBe(false)
    expect(verifySignature(given, signature, [])).toBe(false)
  })
})

describe("Standard Webhooks", () => {
  it("standardwebhooks and svix verify our signatures", () => {
    for (const body of bodies.slice(0, 2)) {
      expect(new StandardWebhook(secret).verify(body, headersOf(body))).toEqual(JSON.parse(body))
      new SvixWebhook(secret).verify(body, headersOf(body))
      expect(() => new SvixWebhook(secret).verify(`${body} `, headersOf(body))).toThrow(/signature/)
    }
  })

  it("we verify their signatures, and each receiver finds its own while two secrets sign", () => {
    const at = new Date()
    const body = bodies[1]!
    const headers = headersOf(body, [secret, other], Math.floor(at.getTime() / 1000))
    const theirs = { ...headers, "webhook-signature": new StandardWebhook(secret).sign("0199-id", at, body) }
    expect(verifyStandardWebhook(body, theirs, secret)).toBe(true)
    expect(verifyStandardWebhook(body, theirs, other)).toBe(false)
    for (const one of [secret, other]) {
      expect(verifyStandardWebhook(body, headers, one)).toBe(true)
      new SvixWebhook(one).verify(body, headers)
    }
    expect(verifyStandardWebhook(body, new Headers(headers), [secret])).toBe(true)
    expect(verifyStandardWebhook(body, { "Webhook-Id": "0199-id", ...headers }, secret)).toBe(false)
  })

  const now = Date.UTC(2026, 0, 31, 23, 59, 59)
  const seconds = now / 1000
  it.each([
    [0, true],
    [-299, true],
    [-300, true],
    [-301, false],
    [299, true],
    [301, false]
  ])("a timestamp that is %i s from now is accepted: %s", (shift, valid) => {
    const headers = headersOf("{}", secret, seconds + shift)
    expect(verifyStandardWebhook("{}", headers, secret, { now })).toBe(valid)
    expect(verifyStandardWebhook("{}", headers, secret, { now, toleranceSeconds: 1_000 })).toBe(true)
  })

  const good = headersOf("{}", secret, seconds)
  it.each([
    ["another id", { ...good, "webhook-id": "0199-ie" }],
    ["another time", { ...good, "webhook-timestamp": String(seconds + 1) }],
    ["no id", { ...good, "webhook-id": undefined }],
    ["no time", { ...good, "webhook-timestamp": "" }],
    ["a time of another kind", { ...good, "webhook-timestamp": "1e9" }],
    ["no signature", { ...good, "webhook-signature": undefined }],
    ["two headers", { ...good, "webhook-signature": [good["webhook-signature"], "v1,"] }],
    ["another version", { ...good, "webhook-signature": good["webhook-signature"].replace("v1", "v2") }],
    ["a cut", { ...good, "webhook-signature": good["webhook-signature"].slice(0, -1) }],
    ["nothing", {}],
    ["no headers at all", undefined]
  ])("headers with %s are refused without an exception", (_, headers) => {
    expect(verifyStandardWebhook("{}", headers, secret, { now })).toBe(false)
  })
})
