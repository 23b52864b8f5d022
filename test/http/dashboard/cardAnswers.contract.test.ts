/** The card compared with answers over HTTP: its findings, its rows, its CSV, and who may see them. */
import {
  BusinessCardStore,
  decideFacts,
  editBusinessCard,
  judgedFacts,
  MeasurementStore,
  type OrganizationId
} from "@sov/core"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { typedFact } from "../../support/businessCards.ts"
import { scanWith, seed } from "../../support/completedScans.ts"
import { openDashboard, pathOf, type TestBrowser, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { serverHomeOrAll } from "../../support/homes.ts"

const hostile = "=cmd|' /C calc'!A0 <img src=x onerror=alert(1)> Acme Forge was founded in 1950 \"by hand\"."

/** Answers to six questions on two platforms; the first three contain a claim. */
const says = (keyword: number): string =>
  keyword === 0
    ? hostile
    : keyword === 1
    ? "Acme Forge was founded in 1997."
    : keyword === 2
    ? "Acme Forge was founded in 1998."
    : "Globex was founded in 1950."

describe.each(serverHomeOrAll)("the card against answers on the %s home", (home) => {
  let server: TestDashboard
  beforeAll(async () => {
    server = await openDashboard(home)
  })
  afterAll(() => server.close())

  const enter = (id: OrganizationId, founded: string) =>
    server.run(editBusinessCard(
      id,
      [{
        field: "founding_date",
        value: typedFact("founding_date", [founded], new Date()).value,
        source: "register",
        updatedAt: null
      }],
      { source: "register" }
    ))

  /** Creates an organization with a viewer; returns the address of the page. */
  const open = async () => {
    const id = await server.run(seed)
    const page = `${await server.run(pathOf(id))}/card/answers`
    return { id, page, viewer: await server.signIn(id, "viewer") }
  }

  const readCsv = async (viewer: TestBrowser, page: string) => {
    const { headers, status, text } = await viewer.get(`${page}.csv`)
    expect(status).toBe(200)
    expect(headers["content-disposition"]).toBe("attachment; filename=\"card-against-answers.csv\"")
    return text.trimEnd().split("\r\n")
  }

  it("a viewer sees each contradicted fact with the answers that contradict it, and all facts with counts", async () => {
    const { id, page, viewer } = await open()
    await enter(id, "1997")
    await enter(id, "1998-04")
    const scan = await server.run(scanWith(id, 0, says))
    const { status, text } = await viewer.get(page)
    expect(status).toBe(200)
    const words = wordsOf(text)
    expect(words).toContain("6 answers that name you, of 1 scan")
    expect(words).toContain("1 fact is contradicted more often than misreading explains.")
    expect(words).toContain("Founding date Your card says 1998 . 2 answers say otherwise.")
    // The counts mean: contradict, out of date, agree, not stated
    expect(words).toContain("Founding date 1998 2 2 2 0")
    const quoted = [...text.matchAll(/<blockquote>[^]*?\/answers\/([0-9a-f-]{36})"/g)].map(([, answer]) => answer!)
    expect(new Set(quoted).size).toBe(2)
    for (const answer of quoted) {
      const shown = await viewer.get(`${page.replace("/card/answers", "/answers")}/${answer}`)
      expect([shown.status, wordsOf(shown.text).includes("founded in 1950")]).toEqual([200, true])
    }
    const [header, ...lines] = await readCsv(viewer, page)
    expect(header).toBe(
      "fact,verdict,stated,quote,answer_id,scan_id,platform,keyword_id,created_at,cited_domains,simulated,decided_by"
    )
    expect(lines.map((line) => line.split(",").slice(0, 3).join())).toEqual([
      "founding_date,contradicts,1950",
      "founding_date,contradicts,1950",
      "founding_date,out_of_date,1997",
      "founding_date,out_of_date,1997",
      "founding_date,agrees,1998",
      "founding_date,agrees,1998"
    ])
    for (const line of lines) expect(line).toContain(`,${scan.id},`)
    expect(lines.every((line) => line.endsWith(",false,rules"))).toBe(true)
  })

  it("answers that state no fact do not count as agreement with the card", async () => {
    const { id, page, viewer } = await open()
    await enter(id, "1998")
    await server.run(scanWith(id, 0, () => "Acme Forge is good."))
    const words = wordsOf((await viewer.get(page)).text)
    expect(words).toContain("No answer states this fact.")
    expect(words).not.toContain("misreading")
  })

  it("a judge's decisions are in a separate table, without the error rates that apply only to the rules", async () => {
    const { id, page, viewer } = await open()
    await server.run(editBusinessCard(
      id,
      [{ field: "slogan", value: ["Harder."], source: "register", updatedAt: null }],
      { source: "register" }
    ))
    const scan = await server.run(scanWith(id, 0, () => "Acme Forge says: Softer."))
    await server.run(Effect.gen(function*() {
      const cards = yield* BusinessCardStore
      const facts = judgedFacts(yield* cards.current(id), "Acme Forge")
      const [answer] = yield* (yield* MeasurementStore).newest(id, scan.id, 1)
      yield* cards.addDecisions(
        id,
        decideFacts("Acme Forge", facts, answer!, [], { judgedBy: "assistant_a m", judgedAt: new Date() })
      )
    }))
    const alone = wordsOf((await viewer.get(page)).text)
    expect(alone).toContain("assistant_a m, an AI model: 1 of 12 answers judged.")
    // The counts mean: contradict, agree, not stated, not judged
    expect(alone).toContain("Slogan Harder. 0 0 1 11")
    for (const words of [/no answer states/i, "misread", "Read by rules"]) expect(alone).not.toMatch(words)

    await enter(id, "1998")
    const mixed = wordsOf((await viewer.get(page)).text)
    expect(mixed).toContain("No answer states this fact.")
    expect(mixed.slice(mixed.indexOf("Facts that rules read"))).not.toContain("Slogan")
  })

  it("a quote never becomes markup, nor a formula in a spreadsheet", async () => {
    const { id, page, viewer } = await open()
    await enter(id, "1998")
    await server.run(scanWith(id, 0, says))
    const { text } = await viewer.get(page)
    expect(text).toContain("&lt;img src=x onerror=alert(1)&gt; Acme Forge was founded in 1950")
    expect(text).not.toContain("<img")
    const lines = (await readCsv(viewer, page)).filter((line) => line.includes("onerror"))
    expect(lines).toHaveLength(2)
    for (const line of lines) expect(line).toContain(`,"'${hostile.replaceAll("\"", "\"\"")}",`)
  })

  it("simulated answers are marked on the page and in each line of the CSV", async () => {
    const { id, page, viewer } = await open()
    await enter(id, "1998")
    await server.run(scanWith(id, 0, says, { simulated: true }))
    expect(wordsOf((await viewer.get(page)).text)).toContain("Simulated Made-up platforms")
    const [, ...lines] = await readCsv(viewer, page)
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.every((line) => line.endsWith(",true,rules"))).toBe(true)
  })

  it("without a scan or a fact, the page says what is missing and the CSV contains only its header", async () => {
    const { id, page, viewer } = await open()
    expect(wordsOf((await viewer.get(page)).text)).toContain("There are no answers yet")
    expect(await readCsv(viewer, page)).toHaveLength(1)
    await server.run(scanWith(id, 0, says))
    expect(wordsOf((await viewer.get(page)).text)).toContain("no fact that answers can be held against")
    expect(await readCsv(viewer, page)).toHaveLength(1)
  })

  it("the page does not exist for other organizations, and requires signing in", async () => {
    const { id, page } = await open()
    await enter(id, "1998")
    await server.run(scanWith(id, 0, says))
    const stranger = await server.signIn(await server.run(seed))
    for (const path of [page, `${page}.csv`]) {
      const refused = await stranger.get(path)
      expect([refused.status, refused.text.includes("1950")]).toEqual([404, false])
      expect((await server.browser().get(path)).headers["location"]).toMatch(/^\/login\?next=/)
    }
  })
})
