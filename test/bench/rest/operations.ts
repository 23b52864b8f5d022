/** The operations of the API in a plain program: sov's statements without anything around them. */
import { breakdownJson, estimateSeconds, type PlatformId, roundHalfUp } from "@sov/core"
import { otherQuestions, type Score, type ShortStanding, standingJson } from "@sov/core/scoring"
import { createHash, randomUUID } from "node:crypto"

/** A statement with a name, for drivers that prepare statements by name. */
export interface Statement {
  readonly name: string
  readonly text: string
}

export type Row = Readonly<Record<string, unknown>>

/** A Postgres driver: runs one statement, or several on one connection between BEGIN and COMMIT. */
export interface Driver {
  readonly query: (statement: Statement, values: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>
  readonly transaction: <A>(work: (query: Driver["query"]) => Promise<A>) => Promise<A>
}

const keyCheck: Statement = {
  name: "key",
  text: `select organization.*, api_key.id as key_id, api_key.name as key_name, prefix, last_four,
    api_key.created_at as key_created_at, expires_at, revoked_at, last_used_at
  from api_key join organization on organization.id = api_key.organization_id where hash = $1`
}
const narrowed = (alias: string) =>
  `coalesce(${alias}.cell_count / nullif(cardinality(${alias}.platforms) * ${alias}.samples, 0)
    < ${alias}.askable_keywords or cardinality(${alias}.platforms) < ${alias}.askable_platforms, false)`
const noWhole = (simulated: boolean) =>
  `not exists (
    select from scan whole
    where whole.organization_id = $1 and whole.status = 'completed' and whole.view is null
      and whole.simulated = ${simulated} and not ${narrowed("whole")}
      and exists (select from score where score.organization_id = whole.organization_id and score.scan_id = whole.id)
  )`
const newestScores: Statement = {
  name: "scores",
  text: `select page.*, case when page.askable_keywords is null
    and row_number() over (order by page.started_at desc, page.id desc) = 1 then (
    select json_build_object('active', count(*), 'asked', count((
      select 1 from cell
      where cell.organization_id = $1 and cell.scan_id = page.id and cell.keyword_id = keyword.id limit 1 offset 0
    ))) from keyword where keyword.organization_id = $1 and keyword.status = 'active'
  ) end as keywords
  from (
    select scan.*, to_jsonb(newest) as score from scan
    join lateral (
      select * from score where score.organization_id = scan.organization_id and score.scan_id = scan.id
      order by tracked_set_version desc, measure_version desc, results_count - unmeasured_count desc limit 1
    ) newest on true
    where scan.organization_id = $1 and scan.status = 'completed' and scan.view is null
      and (not ${narrowed("scan")} or case when scan.simulated then ${noWhole(true)} else ${noWhole(false)} end)
    order by scan.started_at desc, scan.id desc limit 2
  ) page
  order by page.started_at desc, page.id desc`
}
const archivePage: Statement = {
  name: "archive",
  text: `select least(
    organization.created_at, (select min(created_at) from answer where organization_id = $1)
  ) as history_begin, page.*
  from organization left join lateral (
    select answer.id, answer.scan_id, answer.platform, answer.keyword_id, answer.prompt_used, answer.raw_response,
      newest.brand_mentioned, newest.mention_count, newest.mention_position, newest.sentiment, newest.sentiment_by,
      newest.sov_score, answer.created_at, answer.simulated
    from answer
    left join lateral (
      select brand_mentioned, mention_count, mention_position, sentiment, sentiment_by, sov_score from measurement
      where measurement.organization_id = answer.organization_id and measurement.answer_id = answer.id
      order by tracked_set_version desc, measure_version desc limit 1
    ) newest on true where answer.organization_id = $1
    order by answer.created_at desc, answer.id desc limit $2
  ) page on true
  where organization.id = $1 order by page.created_at desc, page.id desc`
}
const organization: Statement = { name: "organization", text: "select * from organization where id = $1" }
const trackedSet: Statement = {
  name: "tracked_set",
  text: `select version, brand, competitors, created_at from tracked_set
    where organization_id = $1 order by version desc limit 1`
}
const keywords: Statement = {
  name: "keywords",
  text: `select id, text, status, created_at from keyword
    where organization_id = $1 and status in ('active') order by created_at, id`
}
const recent: Statement = {
  name: "recent",
  text: `select asked.platform, count(*)::int as answers, max(last.created_at) as last_at,
    percentile_disc(0.5) within group (order by last.latency_ms) as p50,
    percentile_disc(0.95) within group (order by last.latency_ms) as p95,
    avg(last.input_tokens)::float8 as input_tokens, avg(last.output_tokens)::float8 as output_tokens,
    avg(last.requests)::float8 as requests, avg(coalesce(last.searches, 0))::float8 as searches,
    avg(last.cost_usd) as cost_usd
  from unnest('{assistant_a,assistant_b,assistant_c,assistant_d,assistant_e}'::text[]) asked (platform)
  cross join lateral (
    select * from answer where platform = asked.platform and simulated = false order by created_at desc limit 100
  ) last
  group by asked.platform order by asked.platform`
}
const takeQuota: Statement = {
  name: "quota",
  text: `insert into quota_usage (organization_id, period, used)
  select $1::uuid, $2::text, 1 where $3::bigint > 0
  on conflict (organization_id, period) do update
  set used = quota_usage.used + 1 where quota_usage.used < $3::bigint
  returning used`
}
const insertScan: Statement = {
  name: "scan",
  text: `insert into scan (organization_id, id, status, scan_type, platforms, samples, cell_count, simulated,
    tracked_set_version, quota_period, started_at, completed_at)
  values ($1, $2, 'running', 'manual', $3::text[], 1, $4, false, $5, $6, $7, null)`
}
/** Inserts all cells with three array parameters, whatever their number. */
const insertCells: Statement = {
  name: "cells",
  text: `insert into cell (organization_id, id, scan_id, keyword_id, platform, sample, state, due_at)
  select $1, one.id, $2, one.keyword_id, one.platform, 1, 'open', $3
  from unnest($4::uuid[], $5::uuid[], $6::text[]) as one (id, keyword_id, platform)`
}
const notify: Statement = { name: "notify", text: "select pg_notify('sov_work', '')" }

/** The platforms configured on the servers of the benchmark. */
export const configured = ["assistant_a", "assistant_b", "assistant_c", "assistant_d", "assistant_e"] as const

const rowJson = (row: Row) => ({
  id: row["id"],
  scan_id: row["scan_id"],
  platform: row["platform"],
  keyword_id: row["keyword_id"],
  prompt_used: row["prompt_used"],
  raw_response: row["raw_response"],
  brand_mentioned: row["brand_mentioned"],
  mention_count: row["mention_count"],
  mention_position: row["mention_position"],
  sentiment: row["sentiment"],
  sov_score: row["sov_score"] === null ? null : roundHalfUp(row["sov_score"] as number, 2),
  created_at: (row["created_at"] as Date).toISOString()
})

/** What sov reads once a minute: names, history and changes of the newest score, and the line about its surface. */
export interface ReadOnce {
  readonly standing: ShortStanding
  readonly surfaceLine: string
}

/**
 * The operations with a driver; `cached` remembers keys for five seconds. Undefined = the key is invalid. As in sov,
 * the results of `readOnce` are kept for a minute, and each request reads which scans they belong to.
 */
export const makeOperations = (
  { query, transaction }: Driver,
  cached: boolean,
  readOnce: (organizationId: string) => Promise<ReadOnce>
) => {
  const kept = new Map<string, ReadOnce & { readonly at: number }>()
  const found = new Map<string, { readonly at: number; readonly organizationId: string }>()

  const authenticate = async (authorization: string | undefined): Promise<string | undefined> => {
    const presented = /^bearer +(\S.*)$/i.exec(authorization ?? "")?.[1]
    if (presented === undefined) return undefined
    const hash = createHash("sha256").update(presented).digest()
    const name = hash.toString("latin1")
    const known = found.get(name)
    if (known !== undefined && performance.now() - known.at < 5000) return known.organizationId
    const [row] = await query(keyCheck, [hash])
    if (row === undefined || row["revoked_at"] !== null || row["plan"] === "free") return undefined
    const organizationId = row["id"] as string
    if (cached) found.set(name, { at: performance.now(), organizationId })
    return organizationId
  }

  const recallOnce = async (organizationId: string, rows: ReadonlyArray<Row>) => {
    const scores = rows.map(({ score }) => score as Row)
    const measured = rows.map(({ id }, i) =>
      [id, scores[i]!["results_count"], scores[i]!["unmeasured_count"]].join(" ")
    )
    const versions = [scores[0]!["measure_version"], scores[0]!["tracked_set_version"]]
    const name = [organizationId, ...measured, ...versions].join(" ")
    const known = kept.get(name)
    if (known !== undefined && performance.now() - known.at < 60_000) return known
    const read = { ...await readOnce(organizationId), at: performance.now() }
    kept.set(name, read)
    return read
  }

  const sov = async (organizationId: string) => {
    const rows = await query(newestScores, [organizationId])
    const row = rows[0]!
    const score = row["score"] as { readonly avg_sov: number; readonly platform_breakdown: Record<string, number> }
    const keywords = row["keywords"] as { readonly active: number; readonly asked: number }
    const asked = row["platforms"] as ReadonlyArray<string>
    const { standing, surfaceLine } = await recallOnce(organizationId, rows)
    return {
      scan_id: row["id"],
      completed_at: (row["completed_at"] as Date).toISOString(),
      avg_sov: roundHalfUp(score.avg_sov, 0),
      platform_breakdown: breakdownJson(score.platform_breakdown),
      surface: row["surface"],
      view: null,
      surface_line: surfaceLine,
      asked: {
        platforms: configured.filter((id) => asked.includes(id)).length,
        configured_platforms: configured.length,
        keywords: keywords.asked,
        tracked_keywords: keywords.active
      },
      // The seeded scores have no uncertainty
      n: null,
      questions: null,
      topics: null,
      interval_95: null,
      interval_about: otherQuestions,
      ...standingJson(
        { avgSov: score.avg_sov, uncertainty: null } as Score,
        standing,
        configured.map((id) => ({ id: id as PlatformId }))
      )
    }
  }

  /** A page of 50 rows, without a cursor, which only sov signs. */
  const archive = async (organizationId: string) => {
    const rows = await query(archivePage, [organizationId, 51])
    const data = rows.slice(0, 50).map(rowJson)
    return {
      data,
      meta: {
        count: data.length,
        next_cursor: `${String(rows[49]!["id"])}`,
        plan_window_applied: false,
        window_start: (rows[0]!["history_begin"] as Date).toISOString()
      }
    }
  }

  const startScan = async (organizationId: string, body: string) => {
    const asked = JSON.parse(body) as {
      readonly keyword_ids?: ReadonlyArray<string>
      readonly platforms?: ReadonlyArray<string>
    }
    const platforms = asked.platforms ?? configured
    const [owner] = await query(organization, [organizationId])
    const [set] = await query(trackedSet, [organizationId])
    const active = await query(keywords, [organizationId])
    const wanted = new Set(asked.keyword_ids)
    const chosen = asked.keyword_ids === undefined ? active : active.filter(({ id }) => wanted.has(id as string))
    const latencies = await query(recent, [])
    const latency = new Map(latencies.map((row) => [row["platform"], row["p50"] as number]))
    const at = new Date()
    const scanId = randomUUID()
    const cells = platforms.flatMap((platform) => chosen.map(({ id }) => ({ platform, keywordId: id })))
    await transaction(async (run) => {
      const [used] = await run(takeQuota, [organizationId, at.toISOString().slice(0, 7), owner!["scan_quota"]])
      if (used === undefined) throw new Error("quota")
      const month = at.toISOString().slice(0, 7)
      await run(insertScan, [organizationId, scanId, platforms, cells.length, set!["version"], month, at])
      await run(insertCells, [
        organizationId,
        scanId,
        at,
        cells.map(() => randomUUID()),
        cells.map(({ keywordId }) => keywordId),
        cells.map(({ platform }) => platform)
      ])
      await run(notify, [])
    })
    const estimated = estimateSeconds(
      platforms.map((id) => ({ cells: chosen.length, concurrency: 4, latencyMs: latency.get(id) ?? null }))
    )
    return { scan_id: scanId, status: "running", estimated_seconds: estimated }
  }

  return { authenticate, sov, archive, startScan }
}
