/** Topics that people decide: which scans they count in, and what other organizations see of them. */
import {
  decideTopics,
  type KeywordId,
  type OrganizationId,
  planRescore,
  readKeywords,
  readTopics,
  readTrackedSet,
  rescore,
  setBrand,
  TrackedSetStore,
  verifyArchive
} from "@sov/core"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { measurements, scanWith, seed } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const answer = (keyword: number) => keyword < 3 ? "Acme Forge and Globex." : "Globex."

const idsOf = (organizationId: OrganizationId) =>
  Effect.map(readKeywords(organizationId), (all) => all.map(({ id }) => id))

/** The number of topics in each score of a scan, oldest version first. */
const topicsOfScores = Effect.fnUntraced(function*(organizationId: OrganizationId, scanId: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly topics: number }>`
    select (uncertainty ->> 'topics')::int as topics from score
    where organization_id = ${organizationId} and scan_id = ${scanId} order by tracked_set_version
  `
  return rows.map(({ topics }) => topics)
})

const problemsOf = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const problems: Array<string> = []
  yield* verifyArchive(organizationId, {
    onProblem: ({ detail }) => Effect.sync(() => void problems.push(detail)),
    onAnswers: () => undefined
  })
  return problems
})

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)

  it("scans from before a decision keep their topics until a rescore, which copies every measurement", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const scan = yield* scanWith(id, 100, answer)
      const ids = yield* idsOf(id)
      expect(yield* topicsOfScores(id, scan.id)).toEqual([6])
      expect(yield* decideTopics(id, "join", [ids[0]!, ids[1]!, ids[2]!])).toMatchObject({
        changed: true,
        topics: [{ decided: true, keywords: { length: 3 } }]
      })
      expect(yield* topicsOfScores(id, scan.id)).toEqual([6])

      const count = yield* measurements(id)
      const done = yield* rescore(id, yield* planRescore(id, {}), () => undefined)
      expect(done).toMatchObject({ answers: 12, kept: 12, scores: 1 })
      expect(yield* measurements(id)).toBe(count + 12)
      expect(yield* topicsOfScores(id, scan.id)).toEqual([6, 4])
      const next = yield* scanWith(id, 200, answer)
      expect(yield* topicsOfScores(id, next.id)).toEqual([4])
      expect(yield* problemsOf(id)).toEqual([])
    })))

  it("a decision that already exists creates no new version, and changed names keep the topics", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const ids = yield* idsOf(id)
      yield* decideTopics(id, "join", [ids[0]!, ids[1]!])
      const { topics, version } = yield* readTrackedSet(id)
      expect(topics).toEqual([[ids[0]!, ids[1]!].toSorted()])
      for (const act of ["join", "keep"] as const) {
        expect(yield* decideTopics(id, act, [ids[1]!, ids[0]!])).toMatchObject({ changed: false })
      }
      yield* decideTopics(id, "split", [])
      expect((yield* readTrackedSet(id)).version).toBe(version)
      yield* setBrand(id, { name: "Acme Forge", aliases: ["Acme"], domains: [], excludes: [] })
      expect(yield* readTrackedSet(id)).toMatchObject({ topics, version: version + 1 })
      yield* decideTopics(id, "split", [ids[0]!])
      expect((yield* readTopics(id)).filter(({ decided }) => decided).map(({ keywords }) => keywords.length))
        .toEqual([1, 1])
    })))

  it("the questions of another organization count as unknown", () =>
    storage.run(Effect.gen(function*() {
      const [own, other] = [yield* seed, yield* seed]
      const [stranger] = yield* idsOf(other)
      const before = yield* readTrackedSet(own)
      const refused = yield* Effect.flip(decideTopics(own, "split", [stranger!]))
      expect(refused).toMatchObject({ _tag: "NotFound", what: "keyword" })
      expect(yield* readTrackedSet(own)).toEqual(before)
      expect((yield* readTopics(own)).flatMap(({ keywords }) => keywords.map(({ id }): KeywordId => id)))
        .not.toContain(stranger)
    })))

  it("topics that were changed in the database after a scan was sealed are reported", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const ids = yield* idsOf(id)
      yield* decideTopics(id, "join", [ids[0]!, ids[1]!])
      yield* scanWith(id, 100, answer)
      expect(yield* problemsOf(id)).toEqual([])
      const sets = yield* TrackedSetStore
      const forged = { ...(yield* readTrackedSet(id)), topics: [] }
      const problems = yield* problemsOf(id).pipe(
        Effect.provideService(TrackedSetStore, { ...sets, find: () => Effect.succeed(forged) })
      )
      expect(problems.join()).toContain("are not those that were sealed with it")
    })))
})
