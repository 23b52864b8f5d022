/**
 * Time stamps of an authority built with openssl: fetched over HTTP, verified by openssl alone, and refused if anything
 * is wrong.
 */
import { TimeStamps } from "@sov/core"
import { layerTimeStamps } from "@sov/core/outbound"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { makeAuthority, type Play, startAuthority } from "../support/timeStampAuthority.ts"

const data = Buffer.from("{\"sequence\":7}")

const run = <A, E>(program: Effect.Effect<A, E, TimeStamps>) =>
  Effect.runPromise(
    program.pipe(Effect.provide(layerTimeStamps({ requestMs: 5_000 }).pipe(Layer.provide(SecureRandom.layerWebCrypto))))
  )
const request = (url: string) => run(TimeStamps.use((one) => one.request(url, data)))
const check = (response: Uint8Array, bytes: Uint8Array, trusted: string | null) =>
  run(TimeStamps.use((one) => one.check(response, bytes, trusted)))
const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => "a time stamp",
    (error: { readonly reason?: string; readonly message: string }) => `${error.reason}: ${error.message}`
  )

it("a time stamp is requested over HTTP, and openssl alone can verify it", async () => {
  const { file, openssl, requests, root, url } = await startAuthority()
  const before = Date.now()
  const response = await request(url)
  expect(requests).toEqual([{ method: "POST", type: "application/timestamp-query" }])
  const at = await check(response, data, root)
  // Precise to the second
  expect(at.getTime()).toBeGreaterThan(before - 2_000)
  expect(at.getTime()).toBeLessThan(Date.now() + 2_000)
  expect(await check(response, data, null)).toEqual(at)
  writeFileSync(file("a.tsr"), response)
  writeFileSync(file("a.json"), data)
  const verify = "ts -verify -data a.json -in a.tsr -CAfile root.pem"
  expect(openssl(verify).toString()).toMatch(/OK/)
  writeFileSync(file("a.json"), "{\"sequence\":8}")
  expect(() => openssl(verify)).toThrow()
})

describe("a faulty time stamp", () => {
  it("a time stamp is refused if it covers other bytes, was changed, or was signed by somebody else", async () => {
    const { url } = await startAuthority()
    const response = await request(url)
    const end = Buffer.from(response)
    end[end.length - 5]! ^= 1
    const stated = Buffer.from(response)
    const at = stated.indexOf(Buffer.from([0x18, 0x0f])) + 5
    stated[at] = stated[at] === 0x30 ? 0x31 : 0x30
    expect(await refused(check(response, Buffer.from("other"), null))).toBe("invalid: it is over other bytes")
    expect(await refused(check(end, data, null))).toMatch(/^invalid: its signature is not/)
    expect(await refused(check(stated, data, null))).toMatch(/^invalid: its signature is not/)
    expect(await refused(check(response, data, makeAuthority().root))).toMatch(/^invalid: its signer leads to none/)
    expect(await refused(check(response.subarray(0, 90), data, null))).toMatch(/^invalid: it is no answer/)
    expect(await refused(check(Buffer.concat([response, data]), data, null))).toMatch(/^invalid: it is no answer/)
    expect(await refused(check(Buffer.from("<html>"), data, null))).toMatch(/^invalid: it is no answer/)
  })

  it("a time stamp is refused if its certificate has another purpose or is not named by the signature", async () => {
    const authority = makeAuthority()
    const { file, openssl } = authority
    const { url } = await startAuthority(authority)
    writeFileSync(file("good.tsr"), await request(url))
    openssl("ts -reply -in good.tsr -token_out -out good.token")
    openssl("cms -verify -inform DER -in good.token -noverify -out info.der")
    /** A response around the same content with a new signature. */
    const signed = (signer: string, more = "") => {
      openssl(
        "cms -sign -binary -nodetach -in info.der -outform DER -out new.token -econtent_type 1.2.840.113549.1.9.16.1.4 " +
          `-signer ${signer}.pem -inkey ${signer}.key${more}`
      )
      const body = Buffer.concat([Buffer.from([0x30, 0x03, 0x02, 0x01, 0x00]), readFileSync(file("new.token"))])
      return Buffer.concat([Buffer.from([0x30, 0x82, body.length >> 8, body.length & 0xff]), body])
    }
    expect(await check(signed("tsa", " -cades"), data, authority.root)).toBeInstanceOf(Date)
    expect(await refused(check(signed("mail", " -cades"), data, authority.root))).toMatch(/is not one for time stamps$/)
    expect(await refused(check(signed("tsa"), data, authority.root))).toMatch(/does not name the certificate in it$/)
  })

  it.each<[string, string, Play]>([
    [
      "an answer to another request",
      "invalid: it answers another request: its nonce is not ours",
      (answer, response) => {
        const known = answer()
        replayed ??= known
        response.end(replayed)
      }
    ],
    [
      "a redirect",
      "refused: the time-stamping authority answered 302",
      (_, response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()
    ],
    [
      "an error",
      "refused: the time-stamping authority answered 503",
      (_, response) => void response.writeHead(503).end()
    ],
    [
      "a refusal",
      "refused: the authority refused it with status 2",
      (_, response) => void response.end(Buffer.from([0x30, 0x05, 0x30, 0x03, 0x02, 0x01, 0x02]))
    ],
    [
      "an endless answer",
      "refused: the time-stamping authority answered more than 14000 bytes",
      (_, response) => void response.write(Buffer.alloc(20_000))
    ],
    [
      "a broken connection",
      "unreachable: the time-stamping authority gave no whole answer (ECONNRESET)",
      (_, response) => void response.destroy()
    ]
  ])("a time stamp is refused: %s", async (_, expected, play) => {
    replayed = null
    const { url } = await startAuthority(makeAuthority(), play)
    const first = await refused(request(url))
    expect(replayed === null ? first : await refused(request(url))).toBe(expected)
  })
})

/** The response to the first request, which is replayed to every later request. */
let replayed: Buffer | null = null
