/**
 * Classification of requests: hosts and tags as hostile clients write them, crawlers, own pages; and the table of
 * sources.
 */
import { builtInSources, extendSources, TrafficSources } from "@sov/core"
import { Result, Schema } from "effect"
import { expect, it } from "vitest"
import { importOf } from "../../support/trafficImport.ts"

const line = (referrer: string, target = "/p", agent = "Mozilla/5.0") =>
  JSON.stringify({ time: "2026-03-01T00:00:00Z", url: target, referrer, user_agent: agent })

/** Where one request is counted: `referrer chatgpt`, `tag claude foreign`, null. */
const kindOf = (json: string, options: Parameters<typeof importOf>[1] = {}): string | null => {
  const [hit] = importOf(`${json}\n`, { ...options, format: "json" }).hits
  return hit === undefined ? null : `${hit.signal} ${hit.source}${hit.foreignReferrer ? " foreign" : ""}`
}

it.each([
  ["https://chatgpt.com/", "referrer chatgpt"],
  ["https://www.chatgpt.com/c/1?x=1#y", "referrer chatgpt"],
  ["http://CHATGPT.com.:8080", "referrer chatgpt"],
  ["https://a@b@chatgpt.com/", "referrer chatgpt"],
  ["https:/chatgpt.com/", "referrer chatgpt"],
  [" https://chatgpt.com/", "referrer chatgpt"],
  ["https://chat%67pt.com/", "referrer chatgpt"],
  ["https://ｃｈａｔｇｐｔ．ｃｏｍ/", "referrer chatgpt"],
  ["https://chatgpt。com/", "referrer chatgpt"],
  ["https://l.meta.ai/", "referrer meta_ai"],
  ["https://edgeservices.bing.com/x", "referrer copilot"],
  ["https://x.com/i/grok", "referrer grok"],
  ["https://x.com/i/grok?c=1", "referrer grok"],
  ["https://x.com/a/../i/grok/2", "referrer grok"],
  ["https://x.com/i/grokfan", null],
  ["https://x.com/?/i/grok", null],
  ["https://notx.com/i/grok", null],
  ["https://kagi.com/assistant/1", "referrer kagi_assistant"],
  ["https://kagi.com/search?q=/assistant", null],
  ["https://bing.com/", null],
  ["https://openai.com/", null],
  ["https://notchatgpt.com/", null],
  ["https://chatgpt.com.evil.io/", null],
  ["https://chatgpt.com@evil.io/", null],
  ["https://chatgpt.com:pw@evil.io/", null],
  ["https://evil.io\\@chatgpt.com/", null],
  ["https://evil.io/@chatgpt.com/", null],
  ["https://evil.io#@chatgpt.com/", null],
  ["https://evil.io?@chatgpt.com/", null],
  ["https://chatgpt.com%2f.evil.io/", null],
  ["https://chatgpt.com%00.evil.io/", null],
  ["https://chatgpt-com.io/", null],
  ["https://chatgрt.com/", null],
  ["https://xn--chatgt-q4f.com/", null],
  ["https://chatgpt.com..", null],
  ["https://.chatgpt.com/", "referrer chatgpt"],
  ["chatgpt.com", null],
  ["//chatgpt.com/", null],
  ["ftp://chatgpt.com/", null],
  ["javascript:chatgpt.com", null],
  ["android-app://com.openai.chatgpt/", null],
  [`https://${"a.".repeat(5_000)}chatgpt.com/`, null],
  ["-", null],
  ["", null]
])("the referrer %s is classified as: %s", (referrer, kind) => expect(kindOf(line(referrer))).toBe(kind))

it.each([
  ["/?utm_source=chatgpt.com", "tag chatgpt"],
  ["/?a=1&utm_source=%43hatGPT&b", "tag chatgpt"],
  ["/?utm%5Fsource=+claude.ai+", "tag claude"],
  ["/?ref=perplexity", "tag perplexity"],
  ["/?source=copilot.com#x", "tag copilot"],
  ["/?utm_source=&ref=claude", "tag claude"],
  ["https://acme.example?utm_source=grok", "tag grok"],
  ["/?utm_source=mail&ref=claude", null],
  ["/?utm_source=claude&utm_source=x", "tag claude"],
  ["/?utm_source=notclaude", null],
  ["/?xutm_source=claude&preref=claude", null],
  ["/?UTM_SOURCE=claude", null],
  ["/utm_source=claude", null],
  ["/#?utm_source=claude", null],
  ["/%3Futm_source=claude", null],
  ["/?utm_source=%ff%zz&ref=", null],
  ["*", null],
  ["acme.example:443", null]
])("the target %s is classified as: %s", (target, kind) => expect(kindOf(line("", target))).toBe(kind))

it.each([
  ["https://acme.example/", "tag claude"],
  ["https://www.acme.example:8443/a", "tag claude"],
  ["https://xn--bcher-kva.example/", "tag claude"],
  ["https://bücher.example/", "tag claude"],
  ["https://notacme.example/", "tag claude foreign"],
  ["https://www.google.com/", "tag claude foreign"],
  ["no url", "tag claude foreign"],
  ["https://perplexity.ai/", "referrer perplexity"]
])("a tag with the referrer %s is classified as: %s", (referrer, kind) => {
  const ownHosts = ["acme.example", "BÜCHER.example"]
  expect(kindOf(line(referrer, "/?utm_source=claude"), { ownHosts })).toBe(kind)
})

it("the requested host counts as the own site, and an assistant's own pages are no signal", () => {
  const asked = (host: string, referrer: string) =>
    kindOf(JSON.stringify({ ...JSON.parse(line(referrer, "/?utm_source=claude")) as object, host }))
  expect(asked("www.acme.example:80", "https://acme.example/")).toBe("tag claude")
  expect(asked("other.example", "https://acme.example/")).toBe("tag claude foreign")
  expect(kindOf(line("https://poe.com/"), { ownHosts: ["poe.com"] })).toBe(null)
})

it.each([
  ["Mozilla/5.0 (compatible; gptBOT/1.2)", "crawler GPTBot"],
  ["Applebot-Extended/1", "crawler Applebot-Extended"],
  ["Applebot/1", "crawler Applebot"],
  ["ChatGPT-User/1.0 via GPTBot", "crawler ChatGPT-User"],
  ["Mozilla/5.0 Chrome", "referrer chatgpt"]
])("the user agent %s is classified as %s, for any referrer and tag", (agent, kind) => {
  expect(kindOf(line("https://chatgpt.com/", "/?utm_source=chatgpt.com", agent))).toBe(kind)
})

it.each<[object, number]>([
  [{ status: 200 }, 1],
  [{ status: "304" }, 1],
  [{ status: 404, method: "get" }, 1],
  [{ method: "HEAD" }, 1],
  [{ status: 301 }, 0],
  [{ status: "308" }, 0],
  [{ DownstreamStatus: 302 }, 0],
  [{ method: "POST" }, 0],
  [{ request: "OPTIONS /p HTTP/1.1" }, 0],
  [{ status: "-", method: 7 }, 1],
  [{ status: { valueOf: 1, toString: 1 } }, 1]
])("a request with %j is counted this often: %i", (more, count) => {
  for (const request of [line("https://claude.ai/"), line("", "/p?ref=claude")]) {
    const json = JSON.stringify({ ...JSON.parse(request) as object, ...more })
    expect(importOf(`${json}\n`, { format: "json" }).hits).toHaveLength(count)
  }
})

it("redirects and other methods do not count in a combined log, but fetches of crawlers do", () => {
  const combined = (method: string, status: number, agent = "x") =>
    `1 - - [01/Mar/2026:10:00:00 +0000] "${method} /p HTTP/1.1" ${status} 1 "https://claude.ai/" "${agent}"\n`
  const log = combined("GET", 200) + combined("GET", 301) + combined("POST", 200) + combined("GET", 301, "GPTBot")
  expect(importOf(log).found).toEqual({ referrer: 1, tag: 0, crawler: 1 })
})

it("the result states whether the own site is known", () => {
  const log = `${line("https://claude.ai/")}\n`
  const asked = log.replace("{", "{\"host\":\"acme.example\",")
  expect([importOf(log), importOf(log, { ownHosts: ["acme.example"] }), importOf(asked)].map((one) => one.ownSite))
    .toEqual([false, true, true])
})

it("a referrer signal keeps the tag beside it, and counts once", () => {
  const { hits } = importOf(`${line("https://claude.ai/", "/x?utm_source=OpenAI")}\n`, { format: "json" })
  expect(hits).toMatchObject([{ signal: "referrer", source: "claude", tag: "openai", path: "/x" }])
})

it.each([
  ["/a/b?c=d#e", "/a/b"],
  ["/a#b?c", "/a"],
  ["https://acme.example", "/"],
  ["HTTP://acme.example/x?y", "/x"],
  ["//evil//x?y", "//evil//x"],
  ["/a\u0000\u001b[31m\u2028b", "/a%00%1B[31m%E2%80%A8b"],
  ["/\ud800x", "/\ufffdx"],
  [`/${"x".repeat(600)}`, `/${"x".repeat(510)}…`],
  [`/${"😀".repeat(300)}?q`, `/${"😀".repeat(255)}…`]
])("the path of the target %j is kept as %j", (target, path) => {
  expect(importOf(`${line("https://claude.ai/", target)}\n`, { format: "json" }).hits[0]?.path).toBe(path)
})

const own = (table: unknown) => Schema.decodeUnknownSync(TrafficSources)(table)

it("an operator's table replaces entries by id and adds others, and the version names both tables", () => {
  const table = Result.getOrThrow(extendSources(
    builtInSources,
    own({
      version: "acme-1",
      assistants: [
        { id: "you", name: "You.com", hosts: [] },
        { id: "house", name: "Company AI", hosts: ["ki.bücher.example"], tags: ["House"] }
      ],
      crawlers: { training_or_index: ["CompanyBot"] }
    })
  ))
  expect(table.version).toBe(`${builtInSources.version}+acme-1`)
  const kind = (referrer: string, agent?: string) => kindOf(line(referrer, "/", agent), { sources: table })
  expect(kind("https://you.com/")).toBe(null)
  expect(kind("https://ki.xn--bcher-kva.example/")).toBe("referrer house")
  expect(kind("", "companybot/2")).toBe("crawler CompanyBot")
  expect(kind("https://chatgpt.com/")).toBe("referrer chatgpt")
  expect(kindOf(line("", "/?ref=house"), { sources: table })).toBe("tag house")
})

it.each([
  [[{ id: "x", name: "X", hosts: ["CHATGPT.com"] }], "host chatgpt.com belongs to both chatgpt and x"],
  [[{ id: "x", name: "X", tags: ["Claude"] }], "tag claude belongs to both claude and x"],
  [
    [{ id: "x", name: "X", paths: [{ host: "x.com", path: "/i/grok" }] }],
    "path x.com/i/grok belongs to both grok and x"
  ]
])("two assistants never share a host, tag or path: %j", (assistants, message) => {
  expect(extendSources(builtInSources, own({ version: "1", assistants }))).toEqual(Result.fail(message))
})

it.each([
  { assistants: [] },
  { version: "a b" },
  { version: "1", assistants: [{ id: "X", name: "x" }] },
  { version: "1", assistants: [{ id: "x", name: "x", hosts: ["https://x.com"] }] },
  { version: "1", assistants: [{ id: "x", name: "x", paths: [{ host: "x.com", path: "/a?b" }] }] },
  { version: "1", crawlers: { training_or_index: ["bot"] } }
])("a table that is certainly a mistake is refused: %j", (table) => {
  expect(Result.isFailure(Schema.decodeUnknownResult(TrafficSources)(table))).toBe(true)
})

it("the built-in table has 21 assistants and 56 crawlers, without duplicates", () => {
  expect(builtInSources.assistants).toHaveLength(21)
  const { training_or_index, user_triggered_fetch } = builtInSources.crawlers!
  expect([training_or_index?.length, user_triggered_fetch?.length]).toEqual([35, 21])
  expect(Result.isSuccess(extendSources(builtInSources, own({ version: "1" })))).toBe(true)
})
