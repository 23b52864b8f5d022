/**
 * No statement of a store reads more of what grows than it returns. Every method is called, and the plans of all
 * statements that the session has prepared are read.
 */
import { type ArchivePosition, ArchiveStore, type Organization, OrganizationStore, searchedAnswers } from "@sov/core"
import { layerServer, layerStores } from "@sov/core/postgres"
import type { Stores } from "@sov/core/testing"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { expect, it } from "vitest"
import { postgresUrl } from "../support/homes.ts"
import { seedArchive } from "../support/seedArchive.ts"
import { freshDatabase } from "../support/storage.ts"
import { ports, table } from "../support/tenancyCalls.ts"
import { tenants } from "../support/tenants.ts"

/** Tables that grow with every scan or every act. */
const growing = [
  "alert",
  "answer",
  "answer_sources",
  "audit_entry",
  "cell",
  "charge",
  "digest_mail",
  "event",
  "mail",
  "measurement",
  "measurement_failure",
  "resolved_url",
  "schedule_run",
  "score",
  "seal",
  "scan",
  "traffic_count",
  "traffic_lines",
  "webhook_attempt",
  "webhook_delivery"
]

interface PlanNode {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Cond"?: string
  readonly "Index Name"?: string
  readonly Filter?: string
  readonly "Plan Rows": number
  readonly Plans?: ReadonlyArray<PlanNode>
}

/** Answers: this many scans of 500. */
const scans = Number(process.env["SOV_PLAN_SCANS"] ?? 20)
/** Rows of the tables beside the archive, a copy of the first. */
const rows = 3_000

const copy = (table: string, changes: Readonly<Record<string, string>>, count = rows): string =>
  `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(old) || jsonb_build_object(${
    Object.entries(changes).map(([column, value]) => `'${column}', ${value}`).join(", ")
  }))).* from (select * from ${table} where organization_id = $1 limit 1) old, generate_series(1, ${count}) n
  on conflict do nothing`

const minutesAgo = "now() - n * interval '1 minute'"
const anyScan = "(select id from scan where organization_id = $1 order by md5(id::text || n) limit 1)"
const grow: ReadonlyArray<string> = [
  copy("webhook_endpoint", { id: "gen_random_uuid()" }, 20),
  // Open cells of a running scan
  `insert into cell (organization_id, id, scan_id, keyword_id, platform, sample, state, due_at)
    select $1, gen_random_uuid(), s.id, k.id, p, n, 'open', now() from
      (select id from scan where organization_id = $1 and status = 'running' limit 1) s,
      (select id from keyword where organization_id = $1) k, unnest(array['assistant_a', 'assistant_b']) p,
      generate_series(6, 15) n`,
  copy("alert", { id: "gen_random_uuid()", scan_id: anyScan, competitor_id: "gen_random_uuid()" }),
  copy("event", { id: "gen_random_uuid()", created_at: minutesAgo }),
  `insert into webhook_delivery (organization_id, id, endpoint_id, event_id, state, tries, attempts, due_at, created_at,
      ended_at)
    select e.organization_id, gen_random_uuid(), p.id, e.id, case when random() < 0.01 then 'failed' else 'delivered' end,
      1, 1, e.created_at, e.created_at, e.created_at
    from event e cross join lateral (
      select id from webhook_endpoint where organization_id = $1 order by md5(id::text || e.id) limit 1
    ) p
    where e.organization_id = $1 on conflict do nothing`,
  `insert into webhook_attempt (organization_id, delivery_id, number, started_at, duration_ms, status)
    select organization_id, id, 1, created_at, 5, 200 from webhook_delivery where organization_id = $1
    on conflict do nothing`,
  copy("mail", {
    id: "gen_random_uuid()",
    created_at: minutesAgo,
    due_at: minutesAgo,
    ended_at: minutesAgo,
    state: "'sent'"
  }),
  copy("audit_entry", { id: "gen_random_uuid()", at: minutesAgo }),
  copy("charge", { id: "gen_random_uuid()", scan_id: anyScan }),
  copy("digest_mail", { week: "(now() - n * interval '7 days')::date" }),
  copy("schedule_run", { scheduled_at: minutesAgo }),
  `insert into resolved_url select $1, sha256(convert_to('https://u.example/' || n, 'UTF8')), 'https://u.example/' || n,
    null, 'gone', now() from generate_series(1, ${rows}) n`,
  copy("traffic_count", { day: "(date '2020-01-01' + n % 2000)", path: "'/' || n" })
]

type AnyMethod = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

interface Statement {
  readonly text: string
  readonly types: ReadonlyArray<string>
}

/** The plan that a statement gets whatever its values are; `run` makes each call another text for the client. */
const readPlan = Effect.fnUntraced(function*({ text, types }: Statement, run: string) {
  const sql = yield* SqlClient.SqlClient
  const none = types.length === 0
  yield* sql.unsafe(`prepare planned ${none ? "" : `(${types.join()})`} as ${text}`)
  const [row] = yield* sql.unsafe<{ readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: PlanNode }> }>(
    `explain (format json) execute planned${none ? "" : `(${types.map(() => "null").join()})`} -- ${run}`
  )
  yield* sql.unsafe(`deallocate planned -- ${run}`)
  return row!["QUERY PLAN"][0]!.Plan
})

/** Statements that the session has prepared, but for those that are known. */
const listNewStatements = Effect.fnUntraced(function*(known: Set<string>) {
  const sql = yield* SqlClient.SqlClient
  const prepared = yield* sql<Statement>`
    select statement as text, parameter_types::text[] as types from pg_prepared_statements
    where statement ~* '^\\s*(select|with|insert|update|delete)' and statement !~ 'pg_prepared_statements|seed_'
  `
  const fresh = prepared.filter(({ text }) => !known.has(text))
  for (const { text } of fresh) known.add(text)
  return fresh
})

/** Calls every method of every store that is for one organization, with its own things; returns what was asked. */
const listStatements = Effect.gen(function*() {
  const { a } = yield* tenants
  const own = { a, b: a.organizationId }
  const sql = yield* SqlClient.SqlClient
  const { organizationId } = a
  yield* sql`
    insert into keyword (organization_id, id, text, status, created_at)
    select ${organizationId}, gen_random_uuid(), 'q ' || n, 'active', now() from generate_series(1, 200) n
  `
  yield* seedArchive({ organization: organizationId, keywords: 100, scans, length: 40 })
  for (const statement of grow) yield* sql.unsafe(statement, [organizationId])
  yield* sql`analyze`
  // Plans that any values get, and an index wherever one can be used, however few rows there are
  yield* sql`set plan_cache_mode = force_generic_plan`
  yield* sql`set enable_seqscan = off`
  const known = new Set<string>()
  const found: Array<Statement & { readonly method: string }> = []
  yield* listNewStatements(known)
  for (const [port, calls] of Object.entries(table)) {
    const service = yield* ports[port as keyof typeof ports] as unknown as Effect.Effect<
      Record<string, AnyMethod>,
      never,
      Stores
    >
    for (const [method, make] of Object.entries(calls)) {
      if (make === null) continue
      const [given] = make(own)
      const args = Effect.isEffect(given) ? yield* given : given
      yield* Effect.ignore(service[method]!(...args))
      found.push(...(yield* listNewStatements(known)).map((one) => ({ method: `${port}.${method}`, ...one })))
    }
  }
  return found
})

/** Whether a condition says more than whose row it is. */
const isNarrow = (condition: string | undefined): boolean =>
  condition !== undefined && condition.replace(/\(?organization_id = (\(unnest\(\$\d+\)\)|[\w.$]+)\)?/, "").length > 3

/** The condition by which a node finds its rows in an index. */
const readCondition = (node: PlanNode): string | undefined =>
  node["Index Cond"] ??
    (node["Node Type"] === "Bitmap Heap Scan" ? node.Plans?.map(readCondition).join(" ") : undefined)

/** What a limit above does not end early. */
const readsAll = /^(Sort|Aggregate|WindowAgg|Hash|Materialize|CTE Scan|Incremental Sort)$/

/** Nodes that may read all rows of an organization in a table that grows. */
const findWide = (node: PlanNode, limited = false): ReadonlyArray<PlanNode> => {
  const type = node["Node Type"]
  const within = type === "Limit" || (limited && !readsAll.test(type))
  const own = type !== "Bitmap Index Scan" && growing.includes(node["Relation Name"] ?? "") && type.includes("Scan") &&
    !isNarrow(readCondition(node)) && !(within && node.Filter === undefined)
  return [...own ? [node] : [], ...(node.Plans ?? []).flatMap((child) => findWide(child, within))]
}

/** How many rows are sorted where they are more than a page. */
const findSorts = (node: PlanNode): ReadonlyArray<number> => [
  ...node["Node Type"] === "Sort" && node["Plan Rows"] > 1_000 ? [node["Plan Rows"]] : [],
  ...(node.Plans ?? []).flatMap(findSorts)
]

/** Methods that read what grows by their nature, and why that is no page. */
const sums = "sums of a period, which is all here"
const open = "by an index of what is open alone"
const newestWhole = "goes from the newest scan on, and stops at the first that asked everything"
const whole: { readonly [method: string]: string } = {
  "TrafficStore.days": sums,
  "TrafficStore.pages": sums,
  "TrafficStore.sources": sums,
  "UsageStore.callsOf": sums,
  "UsageStore.spentOf": sums,
  "MailStore.markSent": open,
  "MailStore.markFailed": open,
  "ScanStore.end": open,
  "DeliveryStore.record": open,
  "UpkeepStore.prune": "by the place of rows that an index has found",
  "ArchiveStore.stats": "sov archive stats counts the archive",
  "ArchiveStore.estimate": "a row for each scan",
  "ScoreStore.newestWithSources": "counts scores, about one for each scan",
  "SourceStore.stateOf": "counts scores, about one for each scan",
  "SourceStore.ofScans": "reads whole scans, which are half of the answers here",
  "ScoreStore.headline": newestWhole,
  "ScoreStore.history": "a row for each scan, newest first, without those of other views",
  "ScoreStore.newest": newestWhole,
  "ScoreStore.newestOf": newestWhole,
  "SealStore.registered": "a row for each scan",
  "SealStore.coverage": "a check, page by page; a row for each scan",
  "OrganizationData.count": "sov org delete counts everything"
}

const findFaults = Effect.fnUntraced(
  function*(statements: ReadonlyArray<Statement & { readonly method: string }>, run: string) {
    const found = yield* Effect.forEach(
      statements,
      (statement, n) => Effect.map(readPlan(statement, `${run} ${n}`), (plan) => ({ method: statement.method, plan }))
    )
    return found.flatMap(({ method, plan }) => [
      ...findWide(plan).map((node) =>
        `${method}: ${node["Node Type"]} ${node["Relation Name"]} by ${readCondition(node) ?? "nothing"}, then ${
          node.Filter ?? "nothing"
        }`
      ),
      ...findSorts(plan).map((rows) => `${method}: sorts ${rows}`)
    ])
  }
)

it.skipIf(postgresUrl === null)(
  "no statement reads all rows of an organization in a growing table, or sorts more than a page",
  () =>
    Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      const { url } = yield* freshDatabase
      const connect = layerServer({ url: Redacted.make(url), maxConnections: 1 })
      const stores = layerStores.pipe(Layer.provideMerge(connect), Layer.provideMerge(SecureRandom.layerWebCrypto))
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const statements = yield* listStatements
        expect(statements.length).toBeGreaterThan(150)
        const faults = yield* findFaults(statements, "all")
        const unexpected = faults.filter((fault) => whole[fault.split(":")[0]!] === undefined)
        expect(unexpected).toEqual([])
        expect(Object.keys(whole).filter((method) => faults.every((fault) => !fault.startsWith(`${method}:`)))).toEqual(
          []
        )

        // A search that no index serves stops, and goes on where it stopped
        const archive = yield* ArchiveStore
        const [{ id }] = (yield* (yield* OrganizationStore).list) as readonly [Organization]
        const search = (after?: ArchivePosition) =>
          archive.history(id, { sentiment: "negative" }, {
            limit: 9,
            textBytes: 1_000_000,
            ...(after === undefined ? {} : { after })
          })
        const first = yield* search()
        expect(first).toMatchObject({ rows: [], more: false, reached: { id: expect.any(String) as string } })
        const searched = yield* archive.page(id, {}, { limit: searchedAnswers })
        expect(first!.reached!.id).toBe(searched.at(-1)!.id)
        expect(yield* search(first!.reached!)).toMatchObject({ rows: [], more: false, reached: null })

        // Without one index the test is red
        const pages = statements.filter(({ method }) => method === "ArchiveStore.history")
        expect(yield* findFaults(pages, "with")).toEqual([])
        yield* sql`drop index answer_scan_newest`
        expect(yield* findFaults(pages, "without")).not.toEqual([])
      }).pipe(Effect.provide(stores))
    }))),
  300_000
)
