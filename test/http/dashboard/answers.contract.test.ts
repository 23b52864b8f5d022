/** Answers over HTTP: the list with its filters and pages, one answer, and its files. */
import {
  archiveRowJson,
  ArchiveStore,
  checkProof,
  importCaptured,
  KeywordStore,
  type OrganizationId,
  parseProof,
  readAnswerDetail,
  readArchive,
  readCapturedFile,
  readChainHead,
  type Scan,
  setPlan,
  tagKeywords,
  wholeHistory
} from "@sov/core"
import { answerTo, at, keywords, seedAnswers, seedOrganization, seedScan } from "@sov/core/testing"
import { Effect, Result } from "effect"
import { parse } from "parse5"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { scanWith, seed, texts } from "../../support/completedScans.ts"
import { openDashboard, pathOf, type TestBrowser, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"

let server: TestDashboard
let organizationId: OrganizationId
let home: `/o/${string}`
let owner: TestBrowser
let first: Scan
let second: Scan

beforeAll(async () => {
  server = await openDashboard(oneHome[0]!, {}, { platformLabels: new Map([["assistant_a", "Parrot"]]) })
  organizationId = await server.run(seed)
  first = await server.run(
    scanWith(organizationId, 0, (n) => n === 0 ? "Acme Forge is the best." : "Globex, or Initech.")
  )
  second = await server.run(
    scanWith(
      organizationId,
      600,
      (n, platform) =>
        n === 0
          ? "**Globex** leads. Also Acme Forge."
          : n === 5 && platform === "assistant_b"
          ? null
          : "Initech."
    )
  )
  home = await server.run(pathOf(organizationId))
  owner = await server.signIn(organizationId)
})
afterAll(() => server.close())

/** The ids of the answers that a page links to, in order. */
const idsOf = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/<h2><a href="\/o\/[^/]+\/answers\/([0-9a-f-]{36})">/g)].map(([, id]) => id!)

const linkOf = (html: string, rel: string): string | undefined =>
  new RegExp(`href="([^"]+)" rel="${rel}"`).exec(html)?.[1]?.replaceAll("&amp;", "&")

const archive = (filters: Parameters<typeof readArchive>[2] = {}) =>
  server.run(
    Effect.map(readArchive(organizationId, wholeHistory, filters, { limit: 100 }), ({ rows }) => rows)
  )

it("an answer that was captured in an app says who saw it, and no request", async () => {
  const { id, path } = await server.run(Effect.gen(function*() {
    const of = yield* seed
    const record = {
      platform: "assistant_a",
      question: texts[0]!,
      text: "Take Acme Forge.",
      captured_at: "2026-01-20T09:00:00Z",
      captured_by: "<Mia>",
      account: "free"
    }
    yield* importCaptured(of, readCapturedFile(Buffer.from(JSON.stringify(record))))
    return { id: of, path: yield* pathOf(of) }
  }))
  const browser = await server.signIn(id)
  const list = await browser.get(`${path}/answers`)
  const seen = "seen in an app by &lt;Mia&gt;, account free, captured 2026-01-20 09:00 UTC"
  expect(wordsOf(list.text)).toContain(seen)
  const page = wordsOf((await browser.get(`${path}/answers/${idsOf(list.text)[0]!}`)).text)
  expect(page).toContain(seen)
  expect(page).toContain("That is the word of the person who imported it.")
  expect(page).not.toMatch(/Latency|asked of/)
})

describe("the list", () => {
  it("the question filter offers 500 questions and the chosen one, as on other pages", async () => {
    const of = await server.run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      const many = yield* keywords(Array.from({ length: 502 }, (_, n) => `question ${n}?`))
      yield* (yield* KeywordStore).add(id, many)
      return { id, last: many.at(-1)!.id, path: yield* pathOf(id) }
    }))
    const browser = await server.signIn(of.id)
    const optionsOf = async (
      path: `/${string}`
    ) => [...(await browser.get(path)).text.matchAll(/<option value="([0-9a-f-]{36})"( selected)?/g)]
    expect(await optionsOf(`${of.path}/answers`)).toHaveLength(500)
    expect(await optionsOf(`${of.path}/settings/export`)).toHaveLength(500)
    const chosen = await optionsOf(`${of.path}/answers?keyword_id=${of.last}`)
    expect([chosen.length, chosen.at(-1)?.[1], chosen.at(-1)?.[2]]).toEqual([501, of.last, " selected"])
  })

  it("the list pages through all answers, newest first, twenty per page", async () => {
    const rows = await archive()
    expect(rows).toHaveLength(23)
    const newest = await owner.get(`${home}/answers`)
    expect(newest.status).toBe(200)
    expect(idsOf(newest.text)).toEqual(rows.slice(0, 20).map(({ id }) => id))
    expect(linkOf(newest.text, "first")).toBeUndefined()
    const older = await owner.get(linkOf(newest.text, "next")!)
    expect(idsOf(older.text)).toEqual(rows.slice(20).map(({ id }) => id))
    expect(linkOf(older.text, "next")).toBeUndefined()
    expect(linkOf(older.text, "first")).toBe(`${home}/answers`)
  })

  it("the list shows each answer's measurement, and its excerpt with names highlighted and Markdown removed", async () => {
    const page = await owner.get(`${home}/answers?scan_id=${second.id}&named=true`)
    expect(page.text).toContain("<mark>Globex</mark> leads. Also <mark class=\"mine\">Acme Forge</mark>.")
    const words = wordsOf(page.text)
    expect(words).toContain(`${texts[0]} Globex leads`)
    expect(words).toContain("Parrot (assistant_a)")
    expect(words).toContain("named 1×")
    expect(words).toContain("position 2")
    expect(words).toContain("50 % of the voice")
  })

  it.each(
    [
      ["platform=assistant_b", { platform: "assistant_b" }],
      ["named=true", { named: true }],
      ["named=false", { named: false }],
      ["sentiment=positive", { sentiment: "positive" }],
      ["sentiment=not_judged", { sentiment: "not_judged" }],
      ["q=globex+initech", { words: "globex initech" }],
      ["q=%22acme+forge%22&platform=assistant_a", { words: "\"acme forge\"", platform: "assistant_a" }],
      ["from=2026-02-02", { from: new Date("2026-02-02T00:00:00Z") }],
      ["to=2026-02-02", { to: new Date("2026-02-02T23:59:59.999Z") }]
    ] as const
  )("the list filters by %s like the archive", async (query, filters) => {
    const expected = (await archive(filters)).map(({ id }) => id)
    expect(idsOf((await owner.get(`${home}/answers?${query}`)).text)).toEqual(expected.slice(0, 20))
    const [, ...lines] = (await owner.get(`${home}/answers.csv?${query}`)).text.trimEnd().split("\r\n")
    expect(lines.map((line) => line.split(",")[0])).toEqual(expected)
  })

  it("the list filters by tag, and offers the tags in use", async () => {
    const [{ keywordId } = { keywordId: null }] = await archive()
    await server.run(tagKeywords(organizationId, [keywordId!], ["R&D <1>"]))
    const query = `tag=${encodeURIComponent("r&d <1>")}`
    const expected = (await archive({ keywordId: keywordId! })).map(({ id }) => id)
    const page = await owner.get(`${home}/answers?${query}`)
    expect([expected.length, idsOf(page.text)]).toEqual([4, expected])
    const shown = "R&amp;D &lt;1&gt;"
    expect((await owner.get(`${home}/answers`)).text).toContain(`<option value="${shown}">${shown}</option>`)
    const csv = /href="([^"]+answers\.csv[^"]*)"/.exec(page.text)![1]!.replaceAll("&amp;", "&")
    const [, ...lines] = (await owner.get(csv)).text.trimEnd().split("\r\n")
    expect(lines.map((line) => line.split(",")[0])).toEqual(expected)
    for (const none of ["nosuch", "branded"]) {
      const answer = await owner.get(`${home}/answers?tag=${none}`)
      expect([answer.status, idsOf(answer.text)]).toEqual([200, []])
    }
    expect((await owner.get(`${home}/answers?tag=${"x".repeat(201)}`)).status).toBe(400)
  })

  it("the list filters by question and by scan", async () => {
    const [row] = await archive()
    const { keywordId } = row!
    for (
      const [query, filters] of [[`keyword_id=${keywordId}`, { keywordId }], [`scan_id=${first.id}`, {
        scanId: first.id
      }]] as const
    ) {
      const expected = (await archive(filters)).map(({ id }) => id)
      expect(expected.length).toBeLessThan(23)
      expect(idsOf((await owner.get(`${home}/answers?${query}`)).text)).toEqual(expected)
    }
  })

  it("the list redirects to an address without the empty fields", async () => {
    const answer = await owner.get(`${home}/answers?keyword_id=&platform=assistant_a&named=&from=`)
    expect([answer.status, answer.headers["location"]]).toEqual([303, `${home}/answers?platform=assistant_a`])
    expect((await owner.get(`${home}/answers?from=`)).headers["location"]).toBe(`${home}/answers`)
  })

  it.each([
    "platform=x",
    "keyword_id=1",
    "scan_id=x",
    "named=yes",
    "sentiment=glad",
    "from=31.12.2026",
    "cursor=abc",
    `q=${"x".repeat(201)}`
  ])(
    "the list refuses %s with an explanation",
    async (query) => {
      const answer = await owner.get(`${home}/answers?${query}`)
      expect(answer.status).toBe(400)
      expect(wordsOf(answer.text)).toMatch(/filter|no longer valid/)
    }
  )

  it("the list says what to do when no answer matches, and when there are no answers", async () => {
    expect(wordsOf((await owner.get(`${home}/answers?from=2030-01-01`)).text)).toContain(
      "No matching answers Remove a filter to see more."
    )
    const empty = await server.run(seed)
    const newcomer = await server.signIn(empty)
    expect(wordsOf((await newcomer.get(`${await server.run(pathOf(empty))}/answers`)).text)).toContain("No answers yet")
  })

  it("a page ends at one mebibyte of text, and the list continues on the next page", async () => {
    const id = await server.run(seed)
    await server.run(scanWith(id, 0, () => "a".repeat(300_000)))
    const browser = await server.signIn(id)
    const path = await server.run(pathOf(id))
    const page = await browser.get(`${path}/answers`)
    const shown = idsOf(page.text)
    expect(shown.length).toBeGreaterThan(0)
    expect(shown.length).toBeLessThan(6)
    const next = idsOf((await browser.get(linkOf(page.text, "next")!)).text)
    expect(next.length).toBeGreaterThan(0)
    expect(next.filter((one) => shown.includes(one))).toEqual([])
  })

  it("the CSV of the list contains the rows of the archive, with names and rounding as in REST", async () => {
    const rows = (await archive({ scanId: first.id })).map(archiveRowJson)
    const [header, ...lines] = (await owner.get(`${home}/answers.csv?scan_id=${first.id}`)).text.trimEnd().split("\r\n")
    expect(header).toBe(
      "id,scan_id,platform,keyword_id,prompt_used,raw_response,brand_mentioned,mention_count,mention_position,sentiment," +
        "sentiment_by,sov_score,created_at,simulated,surface,view"
    )
    expect(lines).toHaveLength(rows.length)
    for (const [i, row] of rows.entries()) {
      expect(lines[i]).toMatch(new RegExp(`^${row.id},${row.scan_id},${row.platform},${row.keyword_id},`))
      expect(lines[i]).toMatch(
        new RegExp(`,${row.sov_score ?? ""},${row.created_at},false,${row.surface ?? ""},${row.view ?? ""}$`)
      )
    }
  })
})

const findAnswer = async (scan: Scan, platform: string, brandMentioned: boolean) =>
  (await archive({ scanId: scan.id })).find((row) =>
    row.platform === platform && row.brandMentioned === brandMentioned
  )!

describe("one answer", () => {
  it("an answer is shown as text with its names highlighted, its measurement, and how it was asked", async () => {
    const { id } = await findAnswer(second, "assistant_a", true)
    const page = await owner.get(`${home}/answers/${id}`)
    expect(page.text).toContain("**<mark>Globex</mark>** leads. Also <mark class=\"mine\">Acme Forge</mark>.")
    const words = wordsOf(page.text)
    expect(words).toContain(texts[0])
    expect(words).toContain("Acme Forge named 1×, position 2")
    expect(words).toContain("Globex named 1×")
    expect(words).toContain("Share 50.0 %")
    expect(words).toContain("Model test-model")
    expect(words).toContain("Latency 1.2 s")
    expect(words).toContain("Output tokens 345")
    const { seal } = await server.run(readAnswerDetail(organizationId, wholeHistory, id))
    expect(words).toContain(`Part of seal ${seal!.sequence}`)
  })

  it("an answer links to the previous and next answer to the question, with what changed", async () => {
    const later = await findAnswer(second, "assistant_a", true)
    const earlier = await findAnswer(first, "assistant_a", true)
    const page = await owner.get(`${home}/answers/${later.id}`)
    expect(page.text).toContain(`${home}/answers/${earlier.id}`)
    expect(wordsOf(page.text)).toMatch(/Before [^A]* place 1 → 2/)
    const back = await owner.get(`${home}/answers/${earlier.id}`)
    expect(wordsOf(back.text)).toMatch(/After [^A]* place 1 → 2/)
  })

  it("an answer names its sources by kind, and links to sources on the web", async () => {
    const { id } = await findAnswer(second, "assistant_a", true)
    const detail = await server.run(readAnswerDetail(organizationId, wholeHistory, id))
    const page = await owner.get(`${home}/answers/${id}`)
    expect(detail.sources!.sources.length).toBeGreaterThan(0)
    for (const { kind, url } of detail.sources!.sources) {
      expect(page.text).toContain(`href="${url.replaceAll("&", "&amp;")}" rel="noreferrer noopener nofollow"`)
      if (kind === "cited") expect(wordsOf(page.text)).toContain("cited")
    }
  })

  it("an answer offers a proof that can be checked without the server", async () => {
    const { id } = await findAnswer(second, "assistant_a", true)
    const answer = await owner.get(`${home}/answers/${id}/proof`)
    expect(answer.headers["content-type"]).toBe("application/json")
    expect(answer.headers["content-disposition"]).toBe(`attachment; filename="proof-${id}.json"`)
    const problems: Array<unknown> = []
    const { head } = checkProof(Result.getOrThrow(parseProof(answer.text)), null, (problem) => problems.push(problem))
    expect(problems).toEqual([])
    expect(head.sequence).toBe((await server.run(readChainHead(organizationId)))!.sequence)
  })

  it("an answer offers the platform's response byte for byte, as a file that no browser displays", async () => {
    const { id } = await findAnswer(second, "assistant_a", true)
    const response = await fetch(`${server.base}${home}/answers/${id}/payload`, {
      headers: { cookie: [...owner.cookies].map(([name, value]) => `${name}=${value}`).join("; ") }
    })
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 1, 254, 255])
    expect(
      Object.fromEntries(
        ["content-type", "content-security-policy", "x-content-type-options"].map((
          name
        ) => [name, response.headers.get(name)])
      )
    ).toEqual({
      "content-type": "application/octet-stream",
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff"
    })
    expect(response.headers.get("content-disposition")).toMatch(/^attachment;/)
  })

  it("an answer shows the first 20,000 characters of a long text without splitting one, and offers the rest as a file", async () => {
    const long = `${"a".repeat(19_999)}\u{1F6E0}${"b".repeat(500)}`
    const id = await server.run(seed)
    await server.run(scanWith(id, 0, () => long))
    const browser = await server.signIn(id)
    const path = await server.run(pathOf(id))
    const [answerId] = idsOf((await browser.get(`${path}/answers`)).text)
    const page = await browser.get(`${path}/answers/${answerId}`)
    expect(page.text).toContain(`${"a".repeat(19_999)} …`)
    // More of them than an id can have in a row
    expect(page.text).not.toContain("b".repeat(13))
    expect(wordsOf(page.text)).toContain("The first 19,999 of 20,501 characters")
    const text = await browser.get(`${path}/answers/${answerId}/text`)
    expect(text.text).toBe(long)
    expect(text.headers["content-type"]).toBe("text/plain; charset=utf-8")
    expect(text.headers["content-disposition"]).toMatch(/^attachment;/)
  })

  it("an answer has no seal while its scan runs", async () => {
    const seeded = await server.run(seedScan())
    const [answer] = await server.run(seedAnswers({ ...seeded, cells: seeded.cells.slice(0, 1) }))
    const browser = await server.signIn(seeded.organizationId)
    const path = `${await server.run(pathOf(seeded.organizationId))}/answers/${answer!.id}`
    expect(wordsOf((await browser.get(path)).text)).toContain("Not sealed yet")
    const proof = await browser.get(`${path}/proof`)
    expect(proof.status).toBe(409)
    expect(wordsOf(proof.text)).toContain("its scan is still running")
  })

  it("the page of an answer says if no response is stored", async () => {
    const seeded = await server.run(seedScan())
    const answer = await server.run(Effect.gen(function*() {
      const made = yield* answerTo(seeded.cells[0]!, { payload: new Uint8Array(), createdAt: at(20) })
      yield* (yield* ArchiveStore).archive(seeded.organizationId, made, null)
      return made
    }))
    const browser = await server.signIn(seeded.organizationId)
    const path = `${await server.run(pathOf(seeded.organizationId))}/answers/${answer.id}`
    expect(wordsOf((await browser.get(path)).text)).toContain("Not measured yet")
    const payload = await browser.get(`${path}/payload`)
    expect([payload.status, wordsOf(payload.text)]).toEqual([404, expect.stringContaining("is not stored")])
  })

  it("an answer of another organization is not found, and neither are its files", async () => {
    const { id } = await findAnswer(second, "assistant_a", true)
    const other = await server.run(seed)
    const stranger = await server.signIn(other)
    const path = await server.run(pathOf(other))
    for (const file of ["", "/text", "/payload", "/proof"]) {
      expect((await stranger.get(`${path}/answers/${id}${file}`)).status).toBe(404)
      expect((await stranger.get(`${path}/answers/not-an-id${file}`)).status).toBe(404)
    }
  })
})

it("the Free plan shows no answer older than its history on any page or in any file", async () => {
  const { id } = await findAnswer(second, "assistant_a", true)
  await server.run(setPlan(organizationId, "free"))
  try {
    const list = await owner.get(`${home}/answers`)
    expect(idsOf(list.text)).toEqual([])
    expect(wordsOf(list.text)).toContain("All answers are older than your plan shows")
    expect((await owner.get(`${home}/answers.csv`)).text.trimEnd().split("\r\n")).toHaveLength(1)
    for (const file of ["", "/text", "/payload", "/proof"]) {
      const answer = await owner.get(`${home}/answers/${id}${file}`)
      expect([answer.status, wordsOf(answer.text)]).toEqual([
        403,
        expect.stringContaining("older than your plan shows")
      ])
    }
  } finally {
    await server.run(setPlan(organizationId, "pro"))
  }
})

it("the pages of answers are complete HTML documents", async () => {
  const { id } = await findAnswer(second, "assistant_a", true)
  for (const path of ["/answers", `/answers/${id}`]) {
    const faults: Array<string> = []
    parse((await owner.get(`${home}${path}`)).text, { onParseError: ({ code }) => faults.push(code) })
    expect(faults).toEqual([])
  }
})
