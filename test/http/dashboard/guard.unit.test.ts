/**
 * Parts of the server around the pages: which path belongs to which route, which address counts, and what a log may
 * contain.
 */
import { SessionRefused } from "@sov/core"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { makeCookies, parseNext } from "../../../packages/http/src/dashboard/guard/cookies.ts"
import { makeProxySignIns } from "../../../packages/http/src/dashboard/guard/proxySignIns.ts"
import { isSameSite } from "../../../packages/http/src/dashboard/guard/sameSite.ts"
import { makeThrottle } from "../../../packages/http/src/dashboard/guard/throttle.ts"
import { makeClientAddress, parseTrustedProxies } from "../../../packages/http/src/middleware/clientAddress.ts"
import { wantsPage } from "../../../packages/http/src/middleware/ErrorPages.ts"
import { KnownPaths, maskPath } from "../../../packages/http/src/routes.ts"

const known = Effect.runSync(Effect.provide(KnownPaths, KnownPaths.layer))
known.add("GET", "/o/:slug")
known.add("GET", "/o/:slug/scans/new")
known.add("POST", "/o/:slug/scans/:id")
known.add("GET", "/o/:slug/scans/:id.csv")
known.add("GET", "/healthz")

describe("a path", () => {
  it.each([
    ["/healthz", "/healthz", "GET, HEAD, OPTIONS"],
    ["/o/acme", "/o/:slug", "GET, HEAD, OPTIONS"],
    ["/o/acme/scans/new", "/o/:slug/scans/new", "GET, HEAD, OPTIONS"],
    ["/o/acme/scans/1", "/o/:slug/scans/:id", "OPTIONS, POST"],
    ["/o/acme/scans/1.csv", "/o/:slug/scans/:id.csv", "GET, HEAD, OPTIONS"],
    ["/o/", "other", undefined],
    ["/o/acme/", "other", undefined],
    ["/o/acme/scans", "other", undefined],
    ["/o//scans/new", "other", undefined],
    ["/o/:slug/x", "other", undefined],
    ["/o/acme/scans/.csv", "/o/:slug/scans/:id", "OPTIONS, POST"]
  ])("the path %s counts as %s", (path, label, allow) => {
    expect([known.label(path), known.allow(path)]).toEqual([label, allow])
  })
  it("only the path of a sign-in link is masked in logs", () => {
    expect(maskPath("/login/link/secret")).toBe("/login/link/***")
    expect(maskPath("/login/link/secret/more")).toBe("/login/link/***")
    expect(maskPath("/o/acme")).toBe("/o/acme")
  })
})

describe("the address of a client", () => {
  const trusted = Result.getOrThrow(parseTrustedProxies("10.0.0.0/8, 2001:db8::/32"))
  const from = (remoteAddress: string, forwarded?: string) => ({
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
    socket: { remoteAddress }
  })
  it.each([
    ["a connection that is no proxy's", from("203.0.113.5", "198.51.100.7"), "203.0.113.5"],
    ["a trusted proxy", from("10.0.0.1", "198.51.100.7"), "198.51.100.7"],
    ["a trusted proxy by IPv6 of IPv4", from("::ffff:10.0.0.1", "198.51.100.7"), "198.51.100.7"],
    ["two proxies", from("10.0.0.1", "198.51.100.7, 10.0.0.2"), "198.51.100.7"],
    ["a client that wrote the header itself", from("10.0.0.1", "1.2.3.4, 198.51.100.7"), "198.51.100.7"],
    ["an invalid address", from("10.0.0.1", "unknown"), "10.0.0.1"],
    ["a proxy without the header", from("10.0.0.1"), "10.0.0.1"],
    ["IPv6", from("2001:db8::1", "[2a00::7]"), "2a00::7"]
  ])(
    "the address of a client is correct for %s",
    (_, request, address) => expect(makeClientAddress(trusted)(request)).toBe(address)
  )

  it("the address of a client is that of its connection if no proxy is trusted", () => {
    expect(makeClientAddress([])(from("10.0.0.1", "198.51.100.7"))).toBe("10.0.0.1")
  })
  it.each(["*", "10.0.0.0/8, *", "proxy", "10.0.0.0/33"])(
    "the setting %j for trusted proxies is refused",
    (text) => {
      expect(Result.isFailure(parseTrustedProxies(text))).toBe(true)
    }
  )
  it("no proxy is trusted by default", () => expect(parseTrustedProxies("")).toEqual(Result.succeed([])))
})

describe("a form", () => {
  it("a form without Origin and Sec-Fetch-Site is refused", () => {
    expect(isSameSite({ host: "sov.example" }, undefined)).toBe(false)
    expect(isSameSite({ origin: "http://sov.example" }, undefined)).toBe(false)
  })
  it("a form over plain http must come from the host that it was sent to", () => {
    expect(isSameSite({ host: "sov.example:4680", origin: "http://sov.example:4680" }, undefined)).toBe(true)
    expect(isSameSite({ host: "sov.example:4680", origin: "https://sov.example:4680" }, undefined)).toBe(false)
    expect(isSameSite({ host: "sov.example:4680", origin: "http://sov.example" }, undefined)).toBe(false)
  })
})

describe("the page after signing in", () => {
  it.each(["/o/acme", "/o/acme/answers?platform=assistant_a&from=2026-01-01"])(
    "the page after signing in may be %s",
    (path) => {
      expect(parseNext(path)).toBe(path)
    }
  )
  it.each([
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https://evil.example",
    "javascript:x",
    "",
    "o/acme",
    "/a b",
    "/a\tb",
    "/\t/evil.example",
    "/a\r\nset-cookie: x",
    "/ö",
    `/${"x".repeat(2_000)}`
  ])("the page after signing in cannot be %j", (path) => expect(parseNext(path)).toBe(null))
})

describe("cookies", () => {
  it("the cookies of two installations on one machine have different names, and over https are bound to the host", () => {
    expect(makeCookies(undefined, "0123abcd").names.session).toBe("sov_0123abcd")
    expect(makeCookies("http://sov.example", "0123abcd").secure).toBe(false)
    const { names, secure } = makeCookies("https://sov.example", "0123abcd")
    expect([names.session, secure]).toEqual(["__Host-sov", true])
    expect(Object.values(names).every((name) => name.startsWith("__Host-"))).toBe(true)
  })
})

describe("a network", () => {
  it("a network may try 60 wrong tokens a minute and request 10 mails an hour, independently of other networks", () => {
    const throttle = makeThrottle()
    for (let n = 0; n < 60; n++) {
      throttle.begin("a", n)
      throttle.end("a", n, true)
    }
    expect([throttle.begin("a", 59), throttle.begin("b", 59), throttle.begin("a", 60_001)]).toEqual([false, true, true])
    const asked = Array.from({ length: 11 }, (_, n) => throttle.mayAskForMail("a", n))
    expect(asked).toEqual([...Array.from({ length: 10 }, () => true), false])
    expect(throttle.mayAskForMail("a", 3_600_001)).toBe(true)
  })

  it("an attempt counts as soon as it begins, and no longer once its token proves valid", () => {
    const throttle = makeThrottle()
    const begun = Array.from({ length: 61 }, () => throttle.begin("a", 0))
    expect(begun).toEqual([...Array.from({ length: 60 }, () => true), false])
    for (let n = 0; n < 59; n++) throttle.end("a", 1, false)
    throttle.end("a", 1, true)
    expect(Array.from({ length: 60 }, () => throttle.begin("a", 2)).filter(Boolean)).toHaveLength(59)
  })
})

it("a client that requests HTML outside the API is treated as a browser", () => {
  expect(wantsPage("text/html,application/xhtml+xml,*/*;q=0.8", "/o/acme")).toBe(true)
  expect(wantsPage("text/html", "/api/v1/sov")).toBe(false)
  expect(wantsPage("text/html", "/api")).toBe(false)
  expect(wantsPage("text/html", "/apian")).toBe(true)
  expect(wantsPage("*/*", "/o/acme")).toBe(false)
  expect(wantsPage(undefined, "/o/acme")).toBe(false)
})

describe("sign-ins through the proxy", () => {
  const none = { authenticate: () => Effect.fail(new SessionRefused()) }
  it("the proxy may start thirty sessions an hour for a person, whatever the case of the name", () =>
    Effect.runPromise(
      Effect.gen(function*() {
        const { keep, mayBegin } = makeProxySignIns(none)
        for (let n = 0; n < 30; n++) {
          expect(yield* mayBegin("ada@a.example")).toBe(true)
          yield* keep(n % 2 === 0 ? "ada@a.example" : "ADA@a.example", "curl/8", `token ${n}`)
        }
        expect(yield* mayBegin("ada@a.example")).toBe(false)
        expect(yield* mayBegin("ben@a.example")).toBe(true)
        yield* TestClock.adjust("61 minutes")
        expect(yield* mayBegin("ada@a.example")).toBe(true)
      }).pipe(Effect.provide(TestClock.layer()))
    ))
  it("a session of the proxy is forgotten once it has ended", () =>
    Effect.runPromise(Effect.gen(function*() {
      const { find, keep } = makeProxySignIns(none)
      yield* keep("ada@a.example", "curl/8", "token")
      expect(yield* find("ada@a.example", "curl/8")).toBe(null)
    })))
})
