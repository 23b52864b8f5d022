/** Sources from the archive to the report: captured, derived again for history, read with the present names. */
import {
  type ArchivedAnswer,
  ArchiveStore,
  completeScan,
  countSearches,
  deriveSources,
  exportSources,
  listCitedSites,
  type OrganizationId,
  planRescore,
  readSourceHighlights,
  readSources,
  readVisibilityWithSources,
  rescore,
  ScoreStore,
  SourceStore,
  sourceVersion,
  TrackedSetStore,
  wholeHistory
} from "@sov/core"
import { addScan, answerTo, at, captureOf, seedOrganization, seedScan, trackedSet } from "@sov/core/testing"
import { Cause, Effect, Exit, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

/** A body of the Responses API that cites these addresses. */
const body = (text: string, ...urls: ReadonlyArray<string>) =>
  new TextEncoder().encode(JSON.stringify({
    output: [
      { type: "web_search_call", action: { type: "search", queries: ["anvil test"], sources: [] } },
      {
        type: "message",
        content: [{ type: "output_text", text, annotations: urls.map((url) => ({ type: "url_citation", url })) }]
      }
    ]
  }))

const responses = (...urls: ReadonlyArray<string>): Partial<ArchivedAnswer> => {
  const rawResponse = "Acme Forge leads."
  const payload = body(rawResponse, ...urls)
  const adapter = "openai-responses"
  const found = deriveSources({ adapter, payload, text: rawResponse, citations: [] })
  return { adapter, payload, rawResponse, capture: captureOf({ sourceVersion, found }) }
}

const archiveAll = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  answers: ReadonlyArray<ArchivedAnswer>
) {
  for (const answer of answers) {
    expect(yield* (yield* ArchiveStore).archive(organizationId, answer, null)).toBe(true)
  }
})

const derivedRows = (organizationId: OrganizationId) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return yield* sql<{ readonly answer_id: string; readonly source_version: number; readonly status: string }>`
      select answer_id, source_version, status from answer_sources where organization_id = ${organizationId} order by 1, 2
    `
  })

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)

  it("the newest scan is read with the present names, and further scans are included on request", () =>
    storage.run(Effect.gen(function*() {
      const { cells, keywords, organizationId, scan, set } = yield* seedScan()
      const own = "https://www.acmeforge.example/anvils?utm_source=openai"
      const first = yield* Effect.forEach(cells, (cell) => answerTo(cell, responses("https://test.example/a")))
      yield* archiveAll(organizationId, first)
      yield* completeScan(organizationId, scan.id)
      expect((yield* readSourceHighlights(organizationId, wholeHistory)).scan.id).toBe(scan.id)
      const later = yield* addScan(organizationId, keywords, { startedAt: at(50) })
      const second = yield* Effect.forEach(
        later.cells,
        (cell, n) =>
          answerTo(cell, { ...responses("https://test.example/b", ...n < 2 ? [own] : []), createdAt: at(60 + n) })
      )
      yield* archiveAll(organizationId, second)
      yield* completeScan(organizationId, later.scan.id)

      const newest = yield* readSources(organizationId, wholeHistory, { scans: 1 })
      expect(newest.scans.map(({ id }) => id)).toEqual([later.scan.id])
      expect(newest.summary).toMatchObject({ answers: 4, grounded: 4, ownCitationRate: 50, searchRate: 100 })
      expect(listCitedSites(newest.rows, "domain").map(({ answers, name, owner }) => [name, answers, owner?.kind]))
        .toEqual(
          [
            ["test.example", 4, "third_party"],
            ["acmeforge.example", 2, "own"]
          ]
        )
      expect(countSearches(newest.answers)).toEqual([
        { query: "anvil test", platform: "assistant_a", answers: 2, of: 2 },
        { query: "anvil test", platform: "assistant_b", answers: 2, of: 2 }
      ])
      const said = yield* readSourceHighlights(organizationId, wholeHistory)
      expect(said.scan.id).toBe(later.scan.id)
      expect(said.summary).toEqual(newest.summary)
      expect(said.domains).toEqual(listCitedSites(newest.rows, "domain").filter(({ listed }) => listed))
      // Asked again, no answer is read again until something is added that decides what they say
      const unread = SourceStore.of({ ...yield* SourceStore, ofScans: () => Effect.die("sources") })
      const again = Effect.provideService(readSourceHighlights(organizationId, wholeHistory), SourceStore, unread)
      expect(yield* again).toEqual(said)
      // With the score beside it, that is one statement
      const { newestWithSources } = yield* ScoreStore
      const shown = yield* readVisibilityWithSources(organizationId)
      const byOne = readVisibilityWithSources(organizationId).pipe(
        Effect.provide([Layer.mock(ScoreStore, { newestWithSources }), Layer.mock(SourceStore, {})])
      )
      expect(shown.sources).toEqual(said)
      expect(yield* byOne).toEqual(shown)
      const both = yield* readSources(organizationId, wholeHistory, { scans: 4 })
      expect(both.scans.map(({ id }) => id)).toEqual([later.scan.id, scan.id])
      expect(both.summary).toMatchObject({ answers: 8, grounded: 8 })
      const part = yield* readSources(organizationId, wholeHistory, {
        scans: 4,
        platform: "assistant_a",
        keywordId: keywords[0]!.id
      })
      expect(part.summary.answers).toBe(2)

      const exported = (yield* Stream.runCollect(exportSources(organizationId, wholeHistory, null))).flat()
      expect(exported).toHaveLength(10)
      expect(exported.filter(({ owner }) => owner.kind === "own").map(({ ordinal, url }) => [ordinal, url])).toEqual([
        [2, own],
        [2, own]
      ])
      expect((yield* Stream.runCollect(exportSources(organizationId, wholeHistory, 1))).flat()).toHaveLength(6)

      // The page is nobody's once the name is gone
      yield* (yield* TrackedSetStore).append(organizationId, {
        ...set,
        version: 2,
        brand: { ...set.brand, domains: [] },
        createdAt: at(90)
      })
      expect((yield* readSources(organizationId, wholeHistory, { scans: 1 })).summary.ownCitationRate).toBe(0)
      const exit = yield* Effect.exit(again)
      expect(Exit.isFailure(yield* Effect.exit(byOne))).toBe(true)
      expect((yield* readVisibilityWithSources(organizationId)).sources.summary.ownCitationRate).toBe(0)
      expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain("sources")
      expect((yield* readSourceHighlights(organizationId, wholeHistory)).summary.ownCitationRate).toBe(0)
    })))

  it("a rescore derives missing sources once, even from older payloads, and does not change existing ones", () =>
    storage.run(Effect.gen(function*() {
      const { cells: [one, two, three, four], organizationId, scan } = yield* seedScan()
      const { capture: _, ...old } = responses("https://test.example/a")
      const answers = [
        yield* answerTo(one!, responses("https://test.example/a")),
        yield* answerTo(two!, old, 1),
        yield* answerTo(three!, { ...old, payload: new Uint8Array() }, 1),
        yield* answerTo(four!, { ...old, payload: new TextEncoder().encode("<html>") }, 1)
      ]
      yield* archiveAll(organizationId, answers)
      yield* completeScan(organizationId, scan.id)
      expect(yield* derivedRows(organizationId)).toHaveLength(1)
      const plan = yield* planRescore(organizationId, {})
      expect(plan).toMatchObject({ answers: 4, derived: 1 })
      expect(yield* rescore(organizationId, plan, () => undefined)).toMatchObject({ sources: 3 })
      const statuses = new Map((yield* derivedRows(organizationId)).map((row) => [row.answer_id, row.status]))
      expect(answers.map(({ id }) => statuses.get(id))).toEqual(["complete", "complete", "unsupported", "unreadable"])
      const sources = yield* SourceStore
      const [captured, derived] = [
        yield* sources.find(organizationId, answers[0]!.id),
        yield* sources.find(organizationId, answers[1]!.id)
      ]
      expect(derived?.sources).toEqual(captured?.sources)
      const again = yield* planRescore(organizationId, {})
      expect(yield* rescore(organizationId, again, () => undefined)).toEqual({
        answers: 0,
        kept: 0,
        scores: 0,
        sources: 0,
        unmeasurable: new Map()
      })
    })))

  it("nothing can be read if there is no scan, and nothing exported if there is no brand", () =>
    storage.run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      expect(yield* Effect.flip(readSources(id, wholeHistory, { scans: 1 }))).toMatchObject({ _tag: "NoCompletedScan" })
      expect(yield* Effect.flip(Stream.runCollect(exportSources(id, wholeHistory, null)))).toMatchObject({
        _tag: "NotReady"
      })
      yield* (yield* TrackedSetStore).append(id, yield* trackedSet())
      expect(yield* Stream.runCollect(exportSources(id, wholeHistory, null))).toEqual([])
    })))
})
