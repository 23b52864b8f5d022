/** Logs in every format: what is read, which lines are bad, and the error when nothing can be read. */
import type { FieldNames } from "@sov/core"
import { describe, expect, it } from "vitest"
import { importOf } from "../../support/trafficImport.ts"

const start = "203.0.113.1 - - [01/Mar/2026:10:00:00 +0000]"
const good = `${start} "GET /p HTTP/1.1" 200 12 "https://claude.ai/" "Mozilla/5.0"`
const time = Date.UTC(2026, 2, 1, 10)

/** Why the second line of a log is bad; null when it is a line. */
const reasonFor = (line: string, first = good): string | null => {
  const { fault, log } = importOf(`${first}\n${line}\n`)
  expect(fault).toBe(null)
  return log?.firstBad.find((bad) => bad.line === 2)?.reason ?? null
}

describe("combined", () => {
  it.each([
    `acme.example:443 ${good}`,
    `::1 - j[o]hn "x" [01/Mar/2026:10:00:00 +0000] "GET /p HTTP/1.1" 200 - "https://claude.ai/" "-"`,
    `${good} 0.012 "198.51.100.7"`,
    `${start} "GET /p" 200 12 "https://claude.ai/" "a \\"quoted\\" agent \\\\"`,
    `${start} "GET /p HTTP/2.0" 200 12 "https://\\x63laude.ai/" ""`,
    `1 - - [01/Mar/2026:05:30:00 -0430] "GET /p HTTP/1.1" 200 12 "https://claude.ai/" "x"`,
    `${good}\r`
  ])("the combined format reads %s", (line) => {
    expect(importOf(`${line}\n`).hits).toMatchObject([{ time, source: "claude", path: "/p" }])
  })

  it.each([
    ["garbage", "no time such as [10/Oct/2026:13:55:36 +0000]"],
    [good.replace("01/Mar", "31/Feb"), "no time such as [10/Oct/2026:13:55:36 +0000]"],
    [good.replace("01/Mar", "01/arA"), "no time such as [10/Oct/2026:13:55:36 +0000]"],
    [good.replace(":10:", ":24:"), "no time such as [10/Oct/2026:13:55:36 +0000]"],
    [good.replace("/2026", "/1969"), "no time such as [10/Oct/2026:13:55:36 +0000]"],
    [`${start} GET /p`, "no request after the time"],
    [`${start} "GET /p`, "the request has no end"],
    [`${start} "GET /p\\"`, "the request has no end"],
    [`${start} "GET /p" 20 1 "-" "-"`, "no status and size after the request"],
    [`${start} "GET /p" 200 1`, "no referrer and user agent: this is the common, not the combined format"],
    [`${start} "GET /p" 200 1 x`, "no referrer after status and size"],
    [`${start} "GET /p" 200 1 "-`, "the referrer has no end"],
    [`${start} "GET /p" 200 1 "-"`, "no user agent after the referrer"],
    [`${start} "GET /p" 200 1 "-" "x`, "the user agent has no end"],
    [`${good}x`, "no space after the user agent"],
    [`${good}${" x".repeat(40_000)}`, "longer than 65536 bytes"]
  ])("a combined line that is broken is refused: %s: %s", (line, reason) => expect(reasonFor(line)).toBe(reason))

  it.each(["\"\\x16\\x03\\x01\"", "\"-\"", "\"\"", "\"OPTIONS * HTTP/1.1\""])(
    "a request that does not read a page does not count: %s",
    (request) => {
      const line = `${start} ${request} 400 0 "https://claude.ai/" "x"`
      expect(importOf(`${line}\n`)).toMatchObject({ hits: [], log: { lines: 1, badLines: 0 } })
    }
  )

  it("the virtual host is the requested host", () => {
    const tag = good.replace("/p", "/p?ref=claude").replace("https://claude.ai/", "https://www.acme.example/x")
    const foreign = (line: string) => importOf(`${line}\n`).hits.map((hit) => hit.foreignReferrer)
    expect(foreign(tag)).toEqual([true])
    expect(foreign(`acme.example:443 ${tag}`)).toEqual([false])
    expect(foreign(`acme.example ${tag}`)).toEqual([false])
    expect(foreign(`other.example ${tag}`)).toEqual([true])
    expect(foreign(tag.replace("203.0.113.1 - -", "acme.example - - -"))).toEqual([true])
  })

  it("a last line without a line end counts only if it is certainly complete", () => {
    const trailing = `${good} 0.012`
    expect(importOf(`${good}\n${good}`).found?.referrer).toBe(2)
    const cut = importOf(`${trailing}\n${trailing.slice(0, -2)}`)
    expect(cut).toMatchObject({ found: { referrer: 1 }, log: { badLines: 1 } })
    expect(cut.log?.firstBad[0]?.reason).toContain("may not be whole")
  })
})

describe("JSON lines", () => {
  const json = (record: object) => `${JSON.stringify(record)}\n`
  it.each<[string, object, FieldNames?]>([
    ["plain names", { time: "2026-03-01T10:00:00Z", url: "/p", referrer: "https://claude.ai/", user_agent: "x" }],
    ["nginx", {
      time_iso8601: "2026-03-01T11:00:00+01:00",
      request: "GET /p HTTP/1.1",
      http_referer: "https://claude.ai/"
    }],
    ["Caddy", {
      ts: time / 1000 + 0.25,
      request: { uri: "/p", host: "acme.example", headers: { Referer: ["https://claude.ai/"], "User-Agent": ["x"] } }
    }],
    ["Cloudflare", {
      EdgeStartTimestamp: time * 1e6,
      ClientRequestURI: "/p",
      ClientRequestReferer: "https://claude.ai/"
    }],
    ["Traefik", { time: "2026-03-01T10:00:00Z", RequestPath: "/p", request_Referer: "https://claude.ai/" }],
    ["own names", { a: { b: [{ c: time }] }, "u.r.l": "/p", x: "https://claude.ai/" }, {
      time: "a.b.0.c",
      url: "u.r.l",
      referrer: "x"
    }]
  ])("a line of JSON is read: %s", (_, record, fields = {}) => {
    const { hits } = importOf(json(record), { fields })
    expect(hits).toMatchObject([{ source: "claude", path: "/p" }])
    expect(Math.floor((hits[0]?.time ?? 0) / 1000)).toBe(time / 1000)
  })

  const record = { time, url: "/p", referrer: "https://claude.ai/", user_agent: "x" }
  it.each([
    ["{\"time\":", "not JSON"],
    ["[1]", "not a JSON object"],
    [JSON.stringify({ ...record, time: undefined }), "no time"],
    [JSON.stringify({ ...record, time: "soon" }), "the time cannot be read"],
    [JSON.stringify({ ...record, time: 0.123 }), "the time cannot be read"],
    [JSON.stringify({ ...record, time: "1994-12-31T23:59:59Z" }), "the time cannot be read"],
    [JSON.stringify({ ...record, time: -1 }), "the time cannot be read"],
    [JSON.stringify({ ...record, time: "2026-02-30T00:00:00Z" }), "the time cannot be read"],
    [JSON.stringify({ ...record, url: 7 }), "no URL"],
    ["{\"__proto__\":{\"time\":1}}", "no time"]
  ])(
    "a line of JSON that is broken is refused: %s: %s",
    (line, reason) => expect(reasonFor(line, JSON.stringify(record))).toBe(reason)
  )

  it("a query in a separate field belongs to the URL", () => {
    const line = { time, uri: "/p", args: "utm_source=claude" }
    expect(importOf(json(line)).hits).toMatchObject([{ signal: "tag", path: "/p" }])
  })

  it.each<[string, object]>([
    ["the normalised path beside the whole", { time, uri: "/p", request_uri: "/p?utm_source=claude" }],
    ["the path beside the request line", { time, uri: "/p", request: "GET /p?utm_source=claude HTTP/1.1" }],
    ["how long it took beside when it was", { time: 0.123, timestamp: "2026-03-01T10:00:00Z", url: "/p?ref=claude" }]
  ])("no line is lost in a log with %s", (_, line) => {
    expect(importOf(json(line)).hits).toMatchObject([{ signal: "tag", path: "/p", time }])
  })

  it("the result reports that no line has a referrer", () => {
    const { log } = importOf(json({ time, url: "/p", Ref: "https://claude.ai/" }))
    expect(log).toMatchObject({ lines: 1, badLines: 0, referrers: false, userAgents: false })
  })
})

describe("CSV", () => {
  it.each([
    "time,url,referrer,user_agent\n2026-03-01 10:00:00,/p,https://claude.ai/,\"a, \"\"b\"\"\"\n",
    "\uFEFFTime;Status;Url;\"Referer\"\r\n2026-03-01T10:00Z;200;/p;https://claude.ai/\r\n",
    `ts\trequest\treferer\n${time}\tGET /p HTTP/1.1\thttps://claude.ai/`,
    "timestamp,cs-uri-stem,cs(Referer)\n[01/Mar/2026:10:00:00 +0000],/p,\"https://claude.ai/\"\n",
    "time,url,referrer\n2026-03-01 10:00:00.123456 UTC,/p,https://claude.ai/\n"
  ])("the CSV file %j is read", (log) => {
    const { hits, log: tally } = importOf(log)
    expect(hits).toMatchObject([{ source: "claude", path: "/p" }])
    expect(Math.floor((hits[0]?.time ?? 0) / 1000)).toBe(time / 1000)
    expect(tally).toMatchObject({ format: "csv", lines: 1, badLines: 0 })
  })

  const header = "time,url,referrer"
  it.each([
    ["a,b", "2 fields instead of 3"],
    ["2026-03-01T10:00:00Z,/p,\"https://claude.ai/", "a quote is not closed"],
    ["2026-03-01T10:00:00Z,\"/p\"x,-", "a quote is not closed"],
    ["2026-03-01T10:00:00Z,,-", "no URL"],
    ["yesterday,/p,-", "the time cannot be read"]
  ])("a CSV line that is broken is refused: %s: %s", (line, reason) => {
    const log = importOf(`${header}\n${line}\n2026-03-01T10:00:00Z,/p,https://claude.ai/\n`)
    expect(log.log?.firstBad).toEqual([{ line: 2, reason }])
    // One open quote swallows nothing
    expect(log.found?.referrer).toBe(1)
  })

  it.each<[string, FieldNames, string]>([
    ["a,b\n", {}, "the header has no column of the time"],
    ["time,b\n", {}, "the header has no column of the URL"],
    ["time,url\n", { referrer: "from" }, "the header has no column \"from\""],
    ["time\n", {}, "the first line is no header"]
  ])("the CSV file %j cannot be read: %s", (log, fields, fault) => {
    expect(importOf(log, { format: "csv", fields }).fault).toBe(fault)
  })
})

it.each(["", "\n\n\r\n"])("an empty log is read without an error: %j", (log) => {
  expect(importOf(log)).toMatchObject({ fault: null, log: { lines: 0, badLines: 0, format: null } })
})

it("an unknown format fails early, but a few broken lines at the beginning do not", () => {
  expect(importOf("what\never\n").fault).toBe("the format cannot be told")
  const { fault, log } = importOf("what\n".repeat(1000))
  expect([fault, log]).toEqual(["the format cannot be told", null])
  expect(importOf(`what\n{"a\n${good}\n`)).toMatchObject({ log: { format: "combined", lines: 3, badLines: 2 } })
})

it("a log in another format than the given one fails", () => {
  expect(importOf(`${good}\n${good}\n`, { format: "json" }).fault).toBe(
    "none of its 2 lines can be read as json: not JSON"
  )
})

it("the first five bad lines are listed with number and reason, but without their content", () => {
  const { log } = importOf(`${good}\n\n${"secret\n".repeat(9)}${good}\n`)
  expect(log).toMatchObject({ lines: 11, badLines: 9 })
  expect(log?.firstBad.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7])
  expect(JSON.stringify(log)).not.toContain("secret")
})

it("equal lines of one log are separate visits, and each is recognised again", () => {
  const ids = (log: string) => importOf(log).hits.map(({ id }) => id)
  const other = good.replace("203.0.113.1", "203.0.113.2")
  const [a, b, c] = ids(`${good}\n${good}\n${good}\n`)
  expect(new Set([a, b, c]).size).toBe(3)
  expect(ids(`${other}\n${good}\r\n${other}\n${good}`).filter((_, n) => n % 2 === 1)).toEqual([a, b])
  expect(ids(`${good}\n`)).toEqual([a])
})
