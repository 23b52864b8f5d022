/** A report: its figures are those of every other page, and whatever is changed in its file is named. */
import {
  addCompetitor,
  addKeywords,
  ArchiveStore,
  CellStore,
  completeScan,
  findBlindAlert,
  formatEvidence,
  formReport,
  KeywordStore,
  maxReportScans,
  type OrganizationId,
  parseEvidence,
  readKeywords,
  readReport,
  readScoreReport,
  readSources,
  readTagShares,
  type ReportEvidence,
  type ReportRequest,
  ScanStore,
  ScoreStore,
  setAlertRule,
  tagKeywords,
  TrackedSetStore,
  wholeHistory
} from "@sov/core"
import { addScan, answerTo, at, captureOf, keywords, scoreOf, seedOrganization, trackedSet } from "@sov/core/testing"
import { checkReportFile, makeReportFile, readLogo } from "@sov/http/report"
import { Effect } from "effect"
import { type DefaultTreeAdapterTypes, parse } from "parse5"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { scanWith, seed } from "../../support/completedScans.ts"
import { oneHome } from "../../support/homes.ts"
import { reportRequest } from "../../support/reportRequest.ts"
import { seededRandom } from "../../support/seededRandom.ts"
import { openStorage } from "../../support/storage.ts"

const storage = openStorage(oneHome[0]!)
afterAll(storage.close)

const request: ReportRequest = { ...reportRequest, labels: new Map([["assistant_a", "Parrot"]]) }

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64"
)

const answer = (keyword: number, platform: string) =>
  keyword === 3 && platform === "assistant_b"
    ? null
    : ["Acme Forge and Globex.", "Globex, Initech & <b>Acme Forge</b>.", "Nobody.", "Acme Forge."][keyword % 4]!

/** Three scans that differ, the newest in most. */
const seedReport = Effect.gen(function*() {
  const id = yield* seed
  yield* scanWith(id, 100, answer)
  yield* scanWith(id, 200, (keyword, platform) => keyword === 1 ? "Initech." : answer(keyword, platform))
  yield* scanWith(id, 300, (keyword, platform) => keyword < 4 ? "Acme Forge." : answer(keyword, platform))
  return id
})

const make = (id: OrganizationId, fields: Partial<ReportRequest> = {}, name = "Acme & Sons") =>
  Effect.map(
    readReport({ id, name }, wholeHistory, { ...request, ...fields }),
    ({ evidence, figures }) => ({ evidence, figures, text: makeReportFile(evidence, figures, null) })
  )

/** The file that somebody makes who changes the evidence, and all that follows from it. */
const forge = (evidence: ReportEvidence) => makeReportFile(evidence, formReport(evidence), null)

const problemsOf = (text: string) =>
  checkReportFile(text).problems.map(({ id, problem, what }) => `${what} ${id} ${problem}`)

let plain: { readonly evidence: ReportEvidence; readonly text: string }
let full: typeof plain
beforeAll(async () => {
  const id = await storage.run(seedReport)
  plain = await storage.run(make(id))
  full = await storage.run(make(id, { answers: true }))
})

describe("a report", () => {
  it("a report has the figures of sov score, computed again from its evidence, and is valid", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seedReport
      const { evidence, figures, text } = yield* make(id)
      const { movements, score, scan } = yield* readScoreReport(id, wholeHistory, 5, null)
      // The month whose quota a scan used is private
      const shown = (value: unknown) =>
        JSON.parse(JSON.stringify(value, (name, member: unknown) => name === "quotaPeriod" ? null : member)) as object
      expect(shown(figures.standing.report)).toMatchObject(shown({ score, scan, movements }))
      const formed = formReport(parseEvidence(formatEvidence(evidence)).evidence!)
      expect(formed.standing.report.score).toEqual(score)
      expect(formed.standing.report.movements.comparison?.trend).toEqual(movements.comparison!.trend)
      expect(formed.standing.report.movements.next).toEqual(movements.next)
      expect(formed.sources).toEqual(figures.sources)
      expect(text).toContain("<b data-figure=\"platform assistant_a\">")
      expect(text).toContain("Parrot (assistant_a)")
      expect(checkReportFile(text)).toMatchObject({
        problems: [],
        samePage: true,
        sameStyle: true,
        verdict: { answers: 34, texts: 0, measured: 0 }
      })
    })))

  it("a report says if its own answers cannot show a fall to the alert threshold", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seedReport
      const { avgSov } = (yield* readScoreReport(id, wholeHistory, 1, null)).score
      const rule = { rule: "sov_drop", threshold: avgSov! - 1, sensitivity: "immediate" } as const
      yield* setAlertRule(id, { ...rule, enabled: true })
      const { evidence, figures, text } = yield* make(id)
      expect(figures.blindAlert).toEqual(yield* findBlindAlert(id, wholeHistory))
      expect(formReport(evidence).blindAlert).toEqual(figures.blindAlert)
      expect(text).toContain(
        "1.0 point away, and these questions are too few to tell a change from noise: 8 more cells"
      )
      expect(problemsOf(text)).toEqual([])
      expect(problemsOf(text.replace("8 more cells", "no more cells"))).toEqual(["page head of the file changed"])
      expect((yield* make(id, { to: at(999) })).text).not.toContain("The alert threshold")
      yield* setAlertRule(id, { ...rule, enabled: false })
      expect((yield* make(id)).evidence.header).not.toHaveProperty("threshold")
    })))

  it.each([false, true])(
    "a report of a tag has the share of sov score --tag and all answers, and is valid; with texts: %s",
    (answers) =>
      storage.run(Effect.gen(function*() {
        const id = yield* seedReport
        const asked = yield* readKeywords(id)
        yield* tagKeywords(id, asked.slice(1, 4).map((one) => one.id), ["<i>R&D"])
        const { evidence, figures, text } = yield* make(id, { tag: "<I>r&d", answers })
        const { tags: [course] } = yield* readTagShares(id, wholeHistory, 5, "<i>r&d")
        const { avgSov, failedCount, resultsCount } = figures.standing.report.score
        expect([avgSov, resultsCount, failedCount]).toEqual([course!.newest!.share.sov, 6, 0])
        expect(figures.standing.trend.map(({ sov }) => sov)).toEqual(course!.shares.map((one) => one!.sov))
        expect(figures.standing.report.counts.map(({ answered, failed }) => [answered, failed])).toEqual([[3, 0], [
          3,
          0
        ]])
        expect(figures.sources.summary)
          .toEqual((yield* readSources(id, wholeHistory, { scans: 1, tag: "<i>r&d" })).summary)
        expect(text).toContain("<h1>Share of voice of Acme Forge: &lt;I&gt;r&amp;d</h1>")
        expect(text).toContain("are counted: 3 of the 6 that its scan asked.")
        expect(checkReportFile(text)).toMatchObject({ problems: [], verdict: { answers: 34, texts: answers ? 34 : 0 } })
        // A keyword more or less is another share, and one without a tag of the report has none
        const keywords = evidence.keywords.map((one) => ({ id: one.id, text: one.text }))
        expect(() => forge({ ...evidence, keywords })).toThrow("the score of its scan is not among its lines")
        const { tag: _, ...header } = evidence.header
        expect(problemsOf(forge({ ...evidence, header }))).toContain(`keyword ${asked[1]!.id} changed`)
        expect(problemsOf(text.replace("3 of the 6", "6 of the 6"))).toEqual(["page head of the file changed"])
      }))
  )

  it("a report of a computed tag uses the names, and a tag without answers has no report", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      yield* addKeywords(id, ["is Acme Forge any good?"])
      yield* scanWith(id, 100, (keyword) => keyword === -1 ? "Acme Forge is." : "Globex.", { cellCount: 14 })
      yield* addKeywords(id, ["later?"])
      const [later] = (yield* readKeywords(id)).toReversed()
      yield* tagKeywords(id, [later!.id], ["later"])
      for (const [tag, sov] of [["branded", 100], ["UNBRANDED", 0]] as const) {
        const { evidence, figures, text } = yield* make(id, { tag, answers: true })
        expect([tag, figures.standing.report.score.avgSov, problemsOf(text)]).toEqual([tag, sov, []])
        const [first, ...rest] = evidence.keywords
        const { tagged, ...bare } = first!
        const changed = [tagged === true ? bare : { ...bare, tagged: true as const }, ...rest]
        expect(problemsOf(forge({ ...evidence, keywords: changed }))).toContain(`keyword ${first!.id} changed`)
      }
      expect(yield* Effect.flip(make(id, { tag: "nosuch" }))).toMatchObject({ _tag: "NotFound", what: "tag" })
      expect(yield* Effect.flip(make(id, { tag: "later" }))).toMatchObject({ _tag: "Rejected", field: "--tag" })
      // From now on the newest scan asks it, and the earlier one is not in its trend
      yield* scanWith(id, 200, () => "Acme Forge.", { cellCount: 16 })
      const { figures, text } = yield* make(id, { tag: "later" })
      expect(figures.standing.trend.map(({ sov }) => sov)).toEqual([100])
      expect(problemsOf(text)).toEqual([])
    })))

  it("a report of a period stays the same, even if more scans are scored later", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seedReport
      const asked = (yield* readKeywords(id)).slice(0, 1)
      for (let n = 0; n < 3 * maxReportScans + 5; n++) {
        const { scan } = yield* addScan(id, asked, { startedAt: at(400 + n) })
        yield* (yield* ScoreStore).insert(id, scoreOf(scan.id), at(400 + n))
        yield* (yield* ScanStore).end(id, scan.id, "completed", at(400 + n))
      }
      const { evidence, text } = yield* make(id, { from: at(50), to: at(250) })
      expect(evidence.scans.map(({ startedAt }) => startedAt)).toEqual([at(200), at(100)])
      expect(problemsOf(text)).toEqual([])
    })))

  it("a report lists the scans of its trend that asked only a part, and says so of the scan that it reports on", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const scans = Effect.fnUntraced(function*(...days: ReadonlyArray<readonly [day: number, platforms: number]>) {
        for (const [day, platforms] of days) {
          yield* scanWith(id, 86_400 * day, answer, { askable: { keywords: 6, platforms } })
        }
        return yield* make(id)
      })
      const narrowed =
        /asked only a part: that of [^;.]+ 2 of 3 configured platforms; that of [^;.]+ 2 of 4 configured platforms\.<\/p>/
      const { text } = yield* scans([1, 3], [2, 4], [3, 3])
      expect(text).toMatch(narrowed)
      expect(text).toContain("Its scan asked only 2 of 3 configured platforms.</p>")
      expect(problemsOf(text)).toEqual([])
      // Of scans that asked everything, the narrowed ones before are in its course, and are not compared
      const whole = yield* scans([4, 2], [5, 3], [6, 4], [7, 2], [8, 3])
      expect(whole.evidence.scans[0]!.startedAt).toEqual(at(86_400 * 7))
      expect(whole.text).not.toContain("Its scan asked only")
      expect(whole.text).toMatch(/that of [^;.]+ 2 of 4 configured platforms\.<\/p>/)
      expect(whole.figures.standing.report.movements.comparison?.before.startedAt).toEqual(at(86_400 * 4))
      expect(problemsOf(whole.text)).toEqual([])
      expect(plain.text).not.toContain("Narrowed scans")
    })))

  it("a report with the texts of answers proves which models answered", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const german = { country: "DE", language: null }
      yield* scanWith(id, 100, answer, { platforms: ["assistant_a"], cellCount: 6, market: german })
      const sentence = expect.arrayContaining([expect.stringMatching(/^which models answered/)])
      const withTexts = yield* make(id, { answers: true })
      const leaves = withTexts.evidence.seals.flatMap(({ answers }) => answers ?? [])
      expect(new Set(leaves.map(({ sealed }) => sealed?.leaf_version))).toEqual(new Set([3]))
      expect(checkReportFile(withTexts.text)).toMatchObject({ problems: [] })
      expect(checkReportFile(withTexts.text).verdict?.notProven).not.toEqual(sentence)
      expect(checkReportFile((yield* make(id)).text).verdict?.notProven).toEqual(sentence)
    })))

  it("a report is valid with answers, with a logo, in another language, and for a period", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seedReport
      yield* addCompetitor(id, { name: "Hooli", aliases: [], domains: [] })
      yield* scanWith(id, 400, answer)
      const logo = readLogo(png)
      if (typeof logo === "string") throw new Error(logo)
      const { evidence, figures } = yield* readReport({ id, name: "Acme" }, wholeHistory, {
        ...request,
        answers: true,
        locale: "de",
        title: "März",
        logo
      })
      const text = makeReportFile(evidence, figures, logo)
      expect(checkReportFile(text)).toMatchObject({ problems: [], verdict: { answers: 45, texts: 45, measured: 45 } })
      expect(text).toMatch(/\d,\d points/)
      const other = text.replace("base64,iVBOR", "base64,iVBOS")
      expect(problemsOf(other)).toContain("logo logo changed")

      const early = yield* make(id, { to: at(250) })
      expect(early.evidence.scans.map(({ startedAt }) => startedAt)).toEqual([at(200), at(100)])
      expect(checkReportFile(early.text).problems).toEqual([])
      const late = yield* make(id, { from: at(150), to: at(350) })
      expect(late.evidence.scans).toHaveLength(2)
      expect(checkReportFile(late.text).problems).toEqual([])
      const none = yield* Effect.flip(make(id, { from: at(1000) }))
      expect(none).toMatchObject({ _tag: "Rejected", field: "--from" })
    })))
})

describe("a changed file", () => {
  it.each([["without answers", 60, () => plain], ["with answers", 40, () => full]] as const)(
    "a changed file is detected for each random change of one byte, %s",
    (_, times, made) => {
      const bytes = Buffer.from(made().text)
      const random = seededRandom(24)
      // What the evidence and the page say; the style is one text for all
      const from = bytes.indexOf("</style>")
      const silent: Array<string> = []
      for (let i = 0; i < times; i++) {
        const at = from + Math.floor(random() * (bytes.length - from))
        const changed = Buffer.from(bytes)
        changed[at] = changed[at]! ^ (1 << Math.floor(random() * 7))
        if (checkReportFile(changed.toString()).problems.length === 0) {
          silent.push(`${at}: ${changed.subarray(at - 20, at + 20).toString()}`)
        }
      }
      expect(silent).toEqual([])
    }
  )

  it("verification reports the figure that the page shows differently", () => {
    const text = plain.text.replace(/(<b data-figure="platform assistant_a">)\d+/, "$199")
    expect(checkReportFile(text).problems).toMatchObject([{
      what: "figure",
      id: "By platform: Parrot (assistant_a)",
      problem: "changed"
    }])
    expect(checkReportFile(text).problems[0]!.detail).toMatch(/it shows “.*99 %.*”, and the report's data gives/)
  })

  it("verification reports an answer that was replaced by one of another scan", () => {
    const [older, newer] = [full.evidence.seals[0]!, full.evidence.seals.at(-1)!]
    const [stranger, swapped] = [older.answers![0]!, newer.answers![0]!]
    const seals = full.evidence.seals.map((seal) =>
      seal === newer ? { ...seal, answers: [{ ...stranger, id: swapped.id }, ...seal.answers!.slice(1)] } : seal
    )
    const found = problemsOf(forge({ ...full.evidence, seals }))
    expect(found).toContain(`answer ${swapped.id} changed`)
    expect(found).toContain(`seal ${newer.header.sequence} changed`)
    // Also where texts are not there
    const bare = seals.map((seal) => ({
      ...seal,
      answers: seal.answers!.map((one) => {
        const { sealed: _, ...rest } = one
        return rest
      })
    }))
    expect(problemsOf(forge({ ...full.evidence, header: { ...full.evidence.header, answers: false }, seals: bare })))
      .toEqual([`seal ${newer.header.sequence} changed`, `answer ${swapped.id} removed`])
  })

  it("verification reports the change of a forger who regenerates page and lines", () => {
    const { seals } = full.evidence
    const last = seals.at(-1)!
    const withLast = (answers: typeof last.answers) =>
      forge({ ...full.evidence, seals: [...seals.slice(0, -1), { ...last, answers }] })
    const [one, ...rest] = last.answers!
    const name = `answer ${one!.id} changed`
    // Who is named, the text, the platform, the question, and an answer that is left out
    expect(problemsOf(withLast([{ ...one!, brand: !one!.brand! }, ...rest]))).toEqual([name])
    const text = { ...one!.sealed!, raw_response: "Acme Forge, Acme Forge!" }
    expect(problemsOf(withLast([{ ...one!, sealed: text }, ...rest]))).toContain(name)
    expect(problemsOf(withLast([{ ...one!, platform: "assistant_b" }, ...rest]))).toContain(name)
    expect(problemsOf(withLast([{ ...one!, keyword: one!.keyword! + 1 }, ...rest]))).toContain(name)
    expect(problemsOf(withLast(rest))).toContain(`seal ${last.header.sequence} changed`)
    // The question that stands in the page
    const texts = full.evidence.keywords.map((keyword) => ({ ...keyword, text: `${keyword.text} cheap` }))
    expect(problemsOf(forge({ ...full.evidence, keywords: texts }))).toContain(name)
    // A new chain, only where a seal was noted elsewhere
    const noted = { sequence: last.header.sequence, hash: "0".repeat(64) }
    expect(checkReportFile(full.text, [noted]).problems).toMatchObject([{ what: "seal", problem: "changed" }])
  })

  it("a file without its evidence is not accepted as a report", () => {
    expect(problemsOf("<!doctype html><p>Share of voice: 99 %</p>").length).toBeGreaterThan(0)
    expect(problemsOf("").length).toBeGreaterThan(0)
    expect(problemsOf(plain.text.replace(/^\{"report".*$/m, "")).length).toBeGreaterThan(0)
  })
})

const payloads = [
  "<script>alert(1)</script><img src=x onerror=alert(1)>",
  "</pre></style></title><base href=//evil.example><iframe srcdoc='<script>'></iframe>",
  "\"' onmouseover=\"alert(1)\" x=\"><b>",
  "{\"report\":{\"format\":1}}\n{\"checks\":[]}",
  "\u202Egnp.elif\u2066 \u{E0041} \u200B & &amp; <!-- --> ]]>",
  "$& $1 $' ${alert(1)}"
]

type Node = DefaultTreeAdapterTypes.ChildNode

const elementsOf = (nodes: ReadonlyArray<Node>): ReadonlyArray<DefaultTreeAdapterTypes.Element> =>
  nodes.flatMap((node) => "tagName" in node ? [node, ...elementsOf(node.childNodes)] : [])

/** Two scans whose names, questions, answers and sources are all this text. */
const seedHostile = (text: string) =>
  Effect.gen(function*() {
    const { id } = yield* seedOrganization()
    const set = yield* trackedSet()
    const name = text.replaceAll("\n", " ")
    yield* (yield* TrackedSetStore).append(id, {
      ...set,
      brand: { ...set.brand, name: `Brand ${name} Works`, aliases: ["Acme Forge"] },
      competitors: set.competitors.map((one) => ({ ...one, name: `${name} ${one.name}`, aliases: [one.name] }))
    })
    yield* (yield* KeywordStore).add(id, yield* keywords(Array.from({ length: 6 }, (_, n) => `${name} ${n}`)))
    const asked = yield* (yield* KeywordStore).list(id, ["active"])
    const { cells, scan } = yield* addScan(id, asked, { startedAt: at(0) })
    for (const [n, cell] of cells.entries()) {
      const { found } = captureOf()
      const url = `https://evil.example/${encodeURIComponent(text)}`
      const place = { page: url, host: "evil.example", domain: "evil.example" }
      const source = { ...found.sources[0]!, ...place, url, title: text }
      yield* n === 11
        ? (yield* CellStore).fail(id, cell.id, { reason: "malformed", message: text, excerpt: text, status: 502 })
        : (yield* ArchiveStore).archive(
          id,
          yield* answerTo(cell, {
            rawResponse: `Acme Forge, then Globex.\n{"answer":1}\n${text}`,
            model: text,
            capture: captureOf({ found: { ...found, sources: [source], queries: [text] } })
          }),
          null
        )
    }
    yield* completeScan(id, scan.id)
    return yield* make(id, { answers: true, title: name, labels: new Map([["assistant_b", name]]) }, name)
  })

const shapeOf = (text: string) => {
  const faults: Array<string> = []
  const elements = elementsOf(
    parse(text, { onParseError: ({ code }) => faults.push(code) }).childNodes as ReadonlyArray<Node>
  )
  return {
    faults,
    tags: elements.map(({ tagName }) => tagName).filter((name) => name !== "mark"),
    attributes: elements.flatMap(({ attrs }) => attrs)
  }
}

describe("names and answers from outside", () => {
  it.each(payloads)(
    "the hostile text %j is shown as text, with the same elements as plain words, and the file is valid",
    (text) =>
      storage.run(Effect.gen(function*() {
        const [{ text: tame }, { text: made }] = [yield* seedHostile("plain words"), yield* seedHostile(text)]
        const [right, found] = [shapeOf(tame), shapeOf(made)]
        expect(found.faults).toEqual([])
        expect(found.tags).toEqual(right.tags)
        expect(found.tags).not.toContain("script")
        for (const { name, value } of found.attributes) {
          expect(name).toMatch(/^(?!on|style$|srcdoc$|action$)[a-zA-Z][a-zA-Z0-9-]*$/)
          if (/^(?:href|src)$/.test(name)) expect(value).toMatch(/^(?:#|data:image\/)/)
        }
        expect(checkReportFile(made).problems).toEqual([])
      }))
  )
})

describe("a logo", () => {
  it.each([
    ["a drawing", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"],
    ["a page", "<!doctype html>"],
    ["nothing", ""],
    ["a GIF", "GIF89a"]
  ])("a logo must not be %s", (_, text) => {
    expect(readLogo(Buffer.from(text))).toBe("it is no PNG, JPEG or WebP picture")
  })

  it("a logo is recognised by its first bytes, and is at most 100 KiB", () => {
    expect(readLogo(png)).toMatchObject({ type: "image/png" })
    expect(readLogo(Buffer.from("ffd8ffe0", "hex"))).toMatchObject({ type: "image/jpeg" })
    expect(readLogo(Buffer.from("RIFF0000WEBPVP8 "))).toMatchObject({ type: "image/webp" })
    expect(readLogo(Buffer.concat([png, Buffer.alloc(102_400)]))).toMatch(/102400/)
  })
})
