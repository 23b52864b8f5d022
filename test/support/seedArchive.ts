/** An archive of many answers, made by the database itself: completed scans of some weeks ago with measured answers. */
import {
  ArchiveStore,
  type CompetitorId,
  keepScoreDetail,
  makeSeal,
  measureScan,
  measureVersion,
  type OrganizationId,
  platformIds,
  ScanStore,
  SealStore,
  TrackedSetStore
} from "@sov/core"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const filler = [
  "For a small workshop the choice comes down to budget, weight and how often the tool is moved.",
  "Prices are as of May and vary by region; check the [buying guide](https://guide.example/anvils?ref=ai) first.",
  "Most reviewers test rebound, edge hardness and how well the base damps the ring.",
  "A cast body is cheaper, a forged one lasts longer, and *both* want a solid stand.",
  "If you are unsure, start with a used one: the market is large and prices are stable."
]
const named = [
  "1. **Acme** – sturdy and fairly priced; Acme's support answers within a day.",
  "2. Globex makes the heavier one, and [Globex](https://globex.example) ships for free.",
  "3. Acme Forge, not to be confused with the others, is loud.",
  "4. Hooli is overpriced and slow to deliver.",
  "| Acme | 4.5/5 | $199 |\n|------|------:|-----:|\n| Initech | 4.1/5 | $249 |",
  "I would avoid Acme for heavy work, and choose Globex over it."
]

/** Forty markdown answers of 2 to 4 kB; every eighth names nobody. */
const texts: ReadonlyArray<string> = Array.from({ length: 40 }, (_, n) => {
  const lines = ["## Best anvils for beginners", ""]
  const length = 2000 + (n * 577) % 2000
  for (let i = 0; lines.join("\n\n").length < length; i++) {
    lines.push(
      n % 8 === 7 || (i + n) % 4 !== 0 ? filler[(i * 3 + n) % filler.length]! : named[((i + n) / 4) % named.length]!
    )
  }
  return lines.join("\n\n")
})

/** The canonical form that a leaf is the hash of, written by the database. */
const canonical = (at: string, id: string, scanId: string, text: string): string =>
  `'{"created_at":"' || to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","id":"' || ${id} ||
    '","keyword_id":"' || keyword_id || '","platform":"' || platform || '","prompt_used":' || to_json(text) ||
    ',"raw_response":' || to_json(${text}) || ',"scan_id":"' || ${scanId} || '"}'`

/** Seals the completed scans of an organization that have no seal, oldest first. */
export const sealArchive = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const [archive, scans, seals] = [yield* ArchiveStore, yield* ScanStore, yield* SealStore]
  const completed = yield* scans.list(organizationId, { limit: 1_000_000, status: "completed" })
  let head = yield* seals.lockHead(organizationId)
  for (const { completedAt, id } of completed.toReversed()) {
    const leaves = yield* archive.leaves(organizationId, id)
    head = makeSeal({ scanId: id, leaves, head, sealedAt: completedAt! })
    yield* seals.insert(organizationId, head)
  }
})

interface SeededArchive {
  /** Whose archive; the only organization unless given. */
  readonly organization?: OrganizationId
  readonly keywords: number
  readonly scans: number
  /** Characters of an answer; 2 to 4 kB where it is not given. */
  readonly length?: number
  /** A sentence at the end of every fiftieth answer of a scan; by default none. */
  readonly rare?: string
  /** The competitors of tracked set 1 that answers name beside the brand; by default nobody is named. */
  readonly named?: ReadonlyArray<CompetitorId>
}

/**
 * Adds completed real scans of `keywords` × 5 platforms to `organization`, by default the only one, which must have
 * that many keywords. Each answer has a measurement of version 1 with tracked set 1 that says "not named", and each
 * scan such a score. With `named`, measurements are of the present rules and say who is named, which moves a little
 * from scan to scan; one in a hundred questions fails, and there are no scores: `scoreArchive` adds them.
 */
export const seedArchive = ({ keywords, length, named, organization, rare = "", scans }: SeededArchive) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    // Ids by number, in the order of time as UUIDv7 are: a scan's number first, then its answer's
    yield* sql.unsafe(`create temp table seed_text as select ord::int as n, t from
      unnest(array[${texts.map((text) => `$seed$${text}$seed$`).join(",")}]) with ordinality as u(t, ord)`)
    const id = (scan: string, n: string) =>
      sql.literal(`(lpad(to_hex(${scan}), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`)
    const [org] = yield* sql<{ readonly id: string }>`select id from organization`
    const organizationId = organization ?? org!.id as OrganizationId
    /** 0 to 1 by what the text says, the same in each run. */
    const chance = (text: string) => `(('x' || left(md5(${text}), 6))::bit(24)::int / 16777216.0)`
    // Most answers of a cell are alike from scan to scan
    const names = (who: string, share: number) =>
      `(${chance(`'${who}' || text || platform`)} + 0.3 * ${chance(`'${who}' || text || platform || id`)} < ${share})`
    const brandNamed = named === undefined ? "false" : names("brand", 0.5)
    const competitorsNamed = named === undefined
      ? "'{}'::uuid[]"
      : `array_remove(array[${
        named.map((id, n) => `case when ${names(`rival ${n}`, 0.4 / (n + 1))} then '${id}'::uuid end`).join(", ")
      }], null)`
    const failed = named === undefined ? "false" : `${chance("text || id")} < 0.01`
    yield* Effect.forEach(
      Array.from({ length: scans }, (_, n) => n + 1),
      (scan) =>
        sql.withTransaction(Effect.gen(function*() {
          const at = sql`(timestamptz '2026-01-01' + ${scan}::int * interval '1 day')`
          const scanId = id(String(scan), "0")
          yield* sql`
          insert into scan (organization_id, id, status, scan_type, platforms, samples, cell_count, simulated,
            tracked_set_version, started_at, completed_at)
          values (${organizationId}::uuid, ${scanId}, 'completed', 'scheduled', ${
            sql.literal(
              `'{${platformIds.join(",")}}'`
            )
          }, 1, ${keywords * platformIds.length}::int, false, 1, ${at}, ${at} + interval '1 hour')
        `
          yield* sql`
          create temp table seed_row on commit drop as
          select ${id(String(scan), "row_number() over (order by k.id, p.platform)")} as id, k.id as keyword_id, k.text,
            p.platform, (row_number() over (order by k.id, p.platform))::int as n
          from (select id, text from keyword where organization_id = ${organizationId}::uuid order by id limit ${keywords}::int) k,
            unnest(${sql.literal(`'{${platformIds.join(",")}}'::text[]`)}) as p(platform)
        `
          yield* sql`
          insert into cell (organization_id, id, scan_id, keyword_id, platform, sample, state, due_at, reason)
          select ${organizationId}::uuid, id, ${scanId}, keyword_id, platform, 1,
            case when ${sql.literal(failed)} then 'failed' else 'answered' end, ${at},
            case when ${sql.literal(failed)} then 'timeout' end
          from seed_row
        `
          yield* sql`delete from seed_row where ${sql.literal(failed)}`
          yield* sql`
          insert into answer (organization_id, id, scan_id, cell_id, keyword_id, platform, sample, prompt_used,
            raw_response, payload, leaf_hash, adapter, model, latency_ms, finish, citations, simulated, created_at)
          select ${organizationId}::uuid, id, ${scanId}, id, keyword_id, platform, 1, text, raw, 'x'::bytea,
            sha256(convert_to(${sql.literal(canonical("at", "id", "scan_id", "raw"))}, 'UTF8')),
            'openai-compatible', 'm', 1000, 'stop', '[]', false, at
          from (
            select seed_row.*, ${at} as at, ${scanId} as scan_id,
              left(format('Answer %s of %s. ', seed_row.n, ${scan}::int) || seed_text.t, ${
            length ?? 1_000_000
          }::int) || case when seed_row.n % 50 = 0 then ${rare}::text else '' end as raw
            from seed_row join seed_text on seed_text.n = 1 + (seed_row.n * 7 + ${scan}::int * 11) % 40
          ) seeded order by id
        `
          yield* sql`
          insert into measurement (organization_id, answer_id, measure_version, tracked_set_version, icu_version,
            brand_mentioned, mention_count, sov_score, competitors_mentioned, mentions, measured_at)
          select ${organizationId}::uuid, id, ${
            named === undefined ? 1 : measureVersion
          }::int, 1, '70.1', brand, brand::int,
            case when brand then 100.0 / (1 + cardinality(rivals)) else 0 end, rivals, '[]', ${at}
          from seed_row cross join lateral (
            select ${sql.literal(brandNamed)} as brand, ${sql.literal(competitorsNamed)} as rivals
          ) measured
        `
          if (named === undefined) {
            yield* sql`
          insert into score (organization_id, scan_id, measure_version, tracked_set_version, avg_sov,
            platform_breakdown, low_coverage, competitors, nobody, branded_only, results_count, failed_count,
            mentioned_count, created_at)
          values (${organizationId}::uuid, ${scanId}, 1, 1, 0, '{"assistant_a": 0}', '{}', '[]', 100, false,
            ${keywords * platformIds.length}::int, 0, 0, ${at})
        `
          }
        })),
      { discard: true }
    )
    yield* sql`drop table seed_text`
  })

/**
 * Adds the scores of completed scans whose answers are measured with the present rules and tracked set 1, as completion
 * does.
 */
export const scoreArchive = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const set = (yield* (yield* TrackedSetStore).find(organizationId, 1))!
  const scans = yield* (yield* ScanStore).list(organizationId, { limit: 1_000_000, status: "completed" })
  yield* Effect.forEach(scans.toReversed(), (scan) => measureScan(organizationId, scan, set, scan.completedAt!), {
    discard: true
  })
  yield* keepScoreDetail(organizationId)
})

/** What is stored of the present rules and a tracked set, and one hash over all that it says (not when it was said). */
export const measured = (trackedSetVersion: number) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const of = sql`tracked_set_version = ${trackedSetVersion} and measure_version = ${measureVersion}`
    const [row] = yield* sql<{ readonly answers: number; readonly scores: number; readonly sum: string | null }>`
      select
        (select count(*)::int from measurement where ${of}) as answers,
        (select count(*)::int from score where ${of}) as scores,
        md5(
          (select string_agg(md5((to_jsonb(m) - 'measured_at' - 'tracked_set_version')::text), '' order by answer_id)
            from measurement m where ${of}) ||
          (select string_agg(md5((to_jsonb(s) - 'created_at' - 'tracked_set_version')::text), '' order by scan_id)
            from score s where ${of})
        ) as sum
    `
    return row!
  })
