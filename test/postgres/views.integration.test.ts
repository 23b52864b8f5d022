/** The views for SQL give what the use cases give, and what docs/data-out.md says of them. */
import { type ArchiveRow, exportPages, type OrganizationId, type Scan, ScoreStore, wholeHistory } from "@sov/core"
import { layerServer } from "@sov/core/postgres"
import { Effect, Redacted, Stream } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { scanWith, seed } from "../support/completedScans.ts"
import { homes, postgresUrl } from "../support/homes.ts"
import { databaseUrl } from "../support/serverTemplate.ts"
import { openStorage } from "../support/storage.ts"

const answerOf = (keyword: number, platform: string): string | null => {
  if (keyword === 5) return platform === "assistant_a" ? null : "Nobody in particular."
  if (keyword % 2 === 0) {
    return "Acme Forge is great. Globex is heavier, and Acme Forge lasts. See https://www.example.com/anvils"
  }
  return "Buy Globex, or an Initech anvil."
}

/** Tables of columns in the document, by view. */
const documented = new Map(
  readFileSync(new URL("../../docs/data-out.md", import.meta.url), "utf8").split(/^### sov_v1\./m).slice(1).map(
    (part) => {
      const [view = ""] = part.split("\n")
      return [view, [...part.matchAll(/^\| `(\w+)` /gm)].map(([, column]) => column)]
    }
  )
)

describe.each(homes)("on the %s home", (home) => {
  // The views are for a server's operators: the owner reads them here, and a role of its own below
  const storage = openStorage(home, "superuser")
  afterAll(storage.close)
  let organizationId: OrganizationId
  let scan: Scan
  const read = (statement: string) =>
    storage.run(Effect.gen(function*() {
      return yield* (yield* SqlClient.SqlClient).unsafe<Record<string, unknown>>(statement)
    }))

  beforeAll(() =>
    storage.run(Effect.gen(function*() {
      organizationId = yield* seed
      yield* scanWith(organizationId, 0, () => "Globex.", { askable: { keywords: 6, platforms: 3 } })
      yield* scanWith(organizationId, 50, () => "Globex.", { askable: { keywords: 6, platforms: 2 } })
      scan = yield* scanWith(organizationId, 100, answerOf)
    }))
  )

  it("views have the columns that the documentation lists, in the same order", async () => {
    const rows = await read(`
      select table_name as view, array_agg(column_name::text order by ordinal_position) as columns
      from information_schema.columns where table_schema = 'sov_v1' group by 1`)
    expect(new Map(rows.map(({ columns, view }) => [view, columns]))).toEqual(documented)
  })

  it("views of scans and scores have the numbers of the newest score", async () => {
    const score = await storage.run(Effect.gen(function*() {
      return (yield* (yield* ScoreStore).ofScan(organizationId, scan.id))!
    }))
    const [row] = await read("select * from sov_v1.scans order by started_at desc limit 1")
    expect(row).toMatchObject({
      id: scan.id,
      organization: expect.any(String),
      status: "completed",
      avg_sov: score.avgSov,
      results_count: score.resultsCount,
      failed_count: score.failedCount,
      mentioned_count: score.mentionedCount
    })
    const scores = await read(`select * from sov_v1.scores where scan_id = '${scan.id}'`)
    const ofBrand = scores.filter(({ entity }) => entity === "brand")
    expect(ofBrand.find(({ platform }) => platform === null)).toMatchObject({
      name: "Acme Forge",
      sov: score.avgSov,
      interval_low: score.uncertainty!.interval!.low,
      interval_high: score.uncertainty!.interval!.high
    })
    expect(Object.fromEntries(ofBrand.flatMap(({ platform, sov }) => platform === null ? [] : [[platform, sov]])))
      .toEqual(score.platformBreakdown)
    expect(scores.flatMap(({ entity, entity_id, sov }) => entity === "competitor" ? [{ id: entity_id, sov }] : []))
      .toEqual(score.competitors)
  })

  it("views mark scans that asked only some of the keywords or platforms, if that is known", async () => {
    const part = { asked_keywords: 6, tracked_keywords: 6, narrowed: false }
    const rows = [
      { ...part, configured_platforms: 3, narrowed: true },
      { ...part, configured_platforms: 2 },
      { ...part, configured_platforms: null, tracked_keywords: null }
    ]
    const names = "asked_keywords, tracked_keywords, configured_platforms, narrowed"
    expect(await read(`select ${names} from sov_v1.scans order by started_at`)).toEqual(rows)
    expect(
      await read(`
      select ${names} from sov_v1.scores where entity = 'brand' and platform is null order by started_at`)
    ).toEqual(rows)
  })

  it("the view of answers has the columns of an export and equal counts of mentions", async () => {
    const pages = await storage.run(Stream.runCollect(exportPages(organizationId, wholeHistory, {}, null)))
    const exported: ReadonlyArray<ArchiveRow> = [...pages].flat()
    const rows = await read("select * from sov_v1.answers order by created_at desc, id desc")
    expect(rows.map(({ brand_mentioned, id, mention_count, mention_position, raw_response, sentiment, sov_score }) => ({
      id,
      brand_mentioned,
      mention_count,
      mention_position,
      raw_response,
      sentiment,
      sov_score
    }))).toEqual(
      exported.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1)).map((
        row
      ) => ({
        id: row.id,
        brand_mentioned: row.brandMentioned,
        mention_count: row.mentionCount,
        mention_position: row.mentionPosition,
        raw_response: row.rawResponse,
        sentiment: row.sentiment,
        sov_score: row.sovScore
      }))
    )
    const mentions = await read(`
      select id, mention_count::int as said, coalesce((
        select mention_count from sov_v1.mentions m where m.answer_id = a.id and m.entity = 'brand'
      ), 0) as counted from sov_v1.answers a`)
    expect(mentions.filter(({ counted, said }) => counted !== said)).toEqual([])
    expect(
      await read(`
      select distinct entity, name from sov_v1.mentions where scan_id = '${scan.id}' order by 1, 2`)
    ).toEqual([
      { entity: "brand", name: "Acme Forge" },
      { entity: "competitor", name: "Globex" },
      { entity: "competitor", name: "Initech" }
    ])
  })

  it("the view of sources has one row per page", async () => {
    const kept = await read(`
      select answer_id, jsonb_array_length(sources) as n from answer_sources s where source_version = (
        select max(source_version) from answer_sources other where other.answer_id = s.answer_id
      ) and jsonb_array_length(sources) > 0 order by 1`)
    expect(kept.length).toBeGreaterThan(0)
    expect(await read("select answer_id, count(*)::int as n from sov_v1.sources group by 1 order by 1")).toEqual(kept)
    const [first] = await read("select * from sov_v1.sources where position = 1 limit 1")
    expect(first).toMatchObject({ url: expect.stringContaining("http"), host: expect.any(String) })
  })
})

describe.skipIf(postgresUrl === null)("a role that may read the views", () => {
  const storage = openStorage("postgres", "superuser")
  afterAll(storage.close)

  it("a reader role is created by the documented statements, and can read nothing else", async () => {
    const [block] = readFileSync(new URL("../../docs/data-out.md", import.meta.url), "utf8").match(
      /(?<=```sql\n)[^`]+/
    )!
    await storage.run(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* scanWith(yield* seed, 0, answerOf)
      const [row] = yield* sql<{ readonly database: string }>`select current_database() as database`
      const { database } = row!
      // Roles belong to the server, which other tests use as well
      const role = `reader_${database}`
      for (const statement of block!.replaceAll("sov_reader", role).split(";")) yield* sql.unsafe(statement)
      yield* sql.unsafe(`alter role ${role} password '${role}'`)
      const url = Object.assign(new URL(databaseUrl(postgresUrl!, database)), { username: role, password: role }).href
      yield* Effect.gen(function*() {
        const reader = yield* SqlClient.SqlClient
        for (const view of documented.keys()) {
          expect((yield* reader.unsafe(`select * from sov_v1.${view}`)).length).toBeGreaterThan(0)
        }
        for (const refused of ["select * from answer", "select * from api_key", "create table mine (id int)"]) {
          const error: SqlError.SqlError = yield* Effect.flip(reader.unsafe(refused))
          expect(error.reason.cause).toMatchObject({ code: expect.stringMatching(/^(42501|25006)$/) })
        }
      }).pipe(
        Effect.provide(layerServer({ url: Redacted.make(url), maxConnections: 1 })),
        Effect.ensuring(Effect.ignore(sql.unsafe(`drop owned by ${role}; drop role ${role}`)))
      )
    }))
  })
})
