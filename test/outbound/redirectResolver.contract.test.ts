/** Only the redirect host is asked where a redirect leads, and only the `Location` header of its response is read. */
import { redirectPrefix, type RedirectReply } from "@sov/core"
import { Effect } from "effect"
import type { ServerResponse } from "node:http"
import { describe, expect, it } from "vitest"
import { makeRedirectResolver } from "../../packages/core/src/adapters/outbound/platforms/redirectResolver.ts"
import { startGroundingRedirects, startSink } from "../support/GroundingRedirects.ts"

type Play = (response: ServerResponse) => void
const redirect = (location: string, status = 302, headers: Record<string, string> = {}): Play => (response) =>
  void response.writeHead(status, { location, ...headers }).end()
const status = (code: number): Play => (response) => void response.writeHead(code).end()

/** Resolves `a`, with a host whose addresses behave as given. */
const resolveWith = async (plays: Readonly<Record<string, Play>>, url = `${redirectPrefix}a`) => {
  const { ca, proxy, requests, tunnels } = await startGroundingRedirects((request, response) =>
    (plays[request.url?.split("/").at(-1) ?? ""] ?? status(500))(response)
  )
  const reply = await Effect.runPromise(makeRedirectResolver(proxy, { ca, tryMs: 2_000 })(url))
  return { reply, requests, tunnels }
}

describe("a redirect", () => {
  it("resolving a redirect returns the address of its page, and does not request the page", async () => {
    const sink = await startSink()
    const { reply, requests, tunnels } = await resolveWith({ a: redirect(`${sink.origin}/page?x=1`) })
    expect(reply).toEqual({ outcome: "resolved", target: `${sink.origin}/page?x=1` })
    expect(requests.map(({ method, url }) => [method, url])).toEqual([["GET", "/grounding-api-redirect/a"]])
    expect(tunnels).toEqual(["vertexaisearch.cloud.google.com:443"])
    expect(sink.connections()).toBe(0)
  })

  it("a redirect to an internal address is resolved, but no request is sent to that address", async () => {
    const { reply, tunnels } = await resolveWith({ a: redirect("http://169.254.169.254/latest/meta-data") })
    expect(reply).toEqual({ outcome: "resolved", target: "http://169.254.169.254/latest/meta-data" })
    expect(tunnels).toHaveLength(1)
  })

  it("a redirect to another redirect is followed, with at most three requests, without cookies", async () => {
    const cookie = { "set-cookie": "id=1; Path=/" }
    const twice = { a: redirect(`${redirectPrefix}b`, 301, cookie), b: redirect("c", 307, cookie) }
    const found = await resolveWith({ ...twice, c: redirect("https://test.example/") })
    expect(found.reply).toEqual({ outcome: "resolved", target: "https://test.example/" })
    expect(found.requests.map(({ headers }) => Object.keys(headers).toSorted())).toEqual(
      Array.from({ length: 3 }, () => ["connection", "host", "user-agent"])
    )
    const endless = await resolveWith({ ...twice, c: redirect("a") })
    expect(endless.reply).toEqual({ outcome: "refused", target: null })
    expect(endless.requests).toHaveLength(3)
  })

  it("a redirect to another path of its host ends there, because only redirects are requested", async () => {
    const { reply, requests } = await resolveWith({ a: redirect("/search?q=1") })
    expect(reply).toEqual({ outcome: "resolved", target: "https://vertexaisearch.cloud.google.com/search?q=1" })
    expect(requests).toHaveLength(1)
  })

  it("the body of a redirect is not read", async () => {
    const chunk = Buffer.alloc(1_048_576)
    const read = Promise.withResolvers<boolean>()
    const { reply } = await resolveWith({
      a: (response) => {
        response.writeHead(302, { location: "https://test.example/" })
        let left = 64
        const write = (): void => void (left-- > 0 ? response.write(chunk, write) : response.end())
        write()
        response.on("error", () => {})
        response.on("close", () => read.resolve(response.writableFinished))
      }
    })
    expect(reply).toEqual({ outcome: "resolved", target: "https://test.example/" })
    expect(await read.promise).toBe(false)
  })

  it("the body of a redirect is not awaited", async () => {
    const { reply } = await resolveWith({
      a: (response) => {
        response.writeHead(302, { location: "https://test.example/" })
        response.write("x".repeat(100_000))
      }
    })
    expect(reply).toEqual({ outcome: "resolved", target: "https://test.example/" })
  })
})

it.each<readonly [string, Play, RedirectReply]>([
  ["a page", status(200), { outcome: "refused", target: null }],
  ["403", status(403), { outcome: "refused", target: null }],
  ["404", status(404), { outcome: "gone", target: null }],
  ["410", status(410), { outcome: "gone", target: null }],
  ["a redirect to nowhere", status(302), { outcome: "refused", target: null }],
  ["a redirect to a script", redirect("javascript:alert(1)"), { outcome: "refused", target: null }],
  ["a redirect to a page for callers that are blocked", redirect("https://www.google.com/sorry/index?continue=x"), {
    outcome: "unanswered"
  }],
  ["a redirect to a page that asks for consent", redirect("https://consent.google.com/ml?continue=x"), {
    outcome: "unanswered"
  }],
  ["429", status(429), { outcome: "unanswered" }],
  ["503", status(503), { outcome: "unanswered" }],
  ["a broken connection", (response) => void response.destroy(), { outcome: "unanswered" }],
  ["nothing in time", () => {}, { outcome: "unanswered" }]
])("%s ends the attempt", async (_, play, expected) => {
  expect((await resolveWith({ a: play })).reply).toEqual(expected)
})

it.each([
  "https://test.example/a",
  "http://vertexaisearch.cloud.google.com/grounding-api-redirect/a",
  `${redirectPrefix}../admin`
])("the address %s is not requested", async (url) => {
  const { reply, tunnels } = await resolveWith({ a: redirect("https://test.example/") }, url)
  expect(reply).toEqual({ outcome: "refused", target: null })
  expect(tunnels).toEqual([])
})

it("no connection is made if the host's name resolves to a private address", async () => {
  const names: Array<string> = []
  const resolver = makeRedirectResolver(null, {
    resolve: (name, done) => {
      names.push(name)
      done(null, [{ address: "127.0.0.1", family: 4 }])
    }
  })
  expect(await Effect.runPromise(resolver(`${redirectPrefix}a`))).toEqual({ outcome: "unanswered" })
  expect(names).toEqual(["vertexaisearch.cloud.google.com"])
})
