/** A year of rows that are kept for a limited time: what a turn removes, and what it leaves. */
import { defaultRetention, makeSeal, pruneAll, retainedKinds, type Retention, SealStore } from "@sov/core"
import { at, seedAnswers, seedScan } from "@sov/core/testing"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { seedAlerts } from "../../contracts/alertStoreContract.ts"
import { seedDelivery } from "../../contracts/webhookSeeds.ts"
import { homes } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

/** Copies of a row, one a day over two years back from now, under new ids. */
const grow: { readonly [table: string]: string } = {
  event: `insert into event select organization_id, gen_random_uuid(), event, body, now() - n * interval '1 day'
    from (select * from event where organization_id = $1 limit 1) old, generate_series(1, 730) n`,
  webhook_delivery: `insert into webhook_delivery
      (organization_id, id, endpoint_id, event_id, state, tries, attempts, due_at, created_at, ended_at)
    select e.organization_id, gen_random_uuid(), p.id, e.id, 'delivered', 1, 1, created, created, created
    from event e join webhook_endpoint p on p.organization_id = e.organization_id,
      lateral (select e.created_at as created) age
    where e.organization_id = $1 on conflict do nothing`,
  webhook_attempt: `insert into webhook_attempt (organization_id, delivery_id, number, started_at, duration_ms, status)
    select organization_id, id, 1, created_at, 5, 200 from webhook_delivery where organization_id = $1
    on conflict do nothing`,
  mail:
    `insert into mail (organization_id, id, address, subject, body_text, body_html, state, tries, due_at, created_at,
      ended_at)
    select $1, gen_random_uuid(), case n % 2 when 0 then 'a@a.example' else 'gone@a.example' end, 's', 't', 'h', 'sent',
      1, sent, sent, sent
    from generate_series(1, 730) n, lateral (select now() - n * interval '1 day' as sent) age`,
  digest_mail: `insert into digest_mail
    select $1, (now() - n * interval '7 days')::date, address, gen_random_uuid(), now() - n * interval '7 days'
    from generate_series(1, 104) n, unnest(array['a@a.example', 'gone@a.example']) address`,
  schedule_run: `insert into schedule_run
    select $1, now() - n * interval '1 day', now(), null, 'too_late', 'm' from generate_series(1, 730) n`,
  audit_entry: `insert into audit_entry (organization_id, id, at, actor_kind, actor, action, subject_kind, subject_id,
      detail)
    select $1, gen_random_uuid(), now() - n * interval '1 day', 'system', 'sov', 'plan.changed', 'organization', 'x', '{}'
    from generate_series(1, 1000) n`,
  share_link: `insert into share_link (organization_id, id, hash, name, with_answers, created_at, expires_at)
    select $1, gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), 'n', false, now() - n * interval '1 day',
      now() - n * interval '1 day' from generate_series(1, 365) n`,
  idempotency_key: `insert into idempotency_key
    select $1, n::text, sha256(n::text::bytea), (select id from scan where organization_id = $1 limit 1), 1,
      now() - n * interval '1 hour' from generate_series(1, 100) n`
}

const archived = ["scan", "cell", "answer", "answer_sources", "measurement", "score", "seal", "charge", "tracked_set"]

const seedYear = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const made = yield* seedScan()
  yield* seedAnswers(made)
  const { organizationId, scan } = made
  yield* (yield* SealStore).insert(
    organizationId,
    makeSeal({ scanId: scan.id, leaves: [], head: null, sealedAt: at(30) })
  )
  yield* seedDelivery({}, organizationId)
  yield* seedAlerts(organizationId, scan.id)
  for (const statement of Object.values(grow)) yield* sql.unsafe(statement, [organizationId])
  return organizationId
})

const hashOf = (tables: ReadonlyArray<string>, organizationId: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return yield* Effect.forEach(tables, (table) =>
      sql.unsafe<Record<string, unknown>>(
        `select '${table}' as name, count(*)::int as rows, md5(string_agg(t::text, '' order by t::text)) as hash
        from ${table} t where organization_id = $1`,
        [organizationId]
      ))
  })

describe.each(homes)("upkeep on the %s home", (home) => {
  const storage = openStorage(home, "superuser")
  afterAll(storage.close)

  it("upkeep removes rows that are older than their retention, once, but no rows of the archive", () =>
    storage.run(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const organizationId = yield* seedYear
      const archive = yield* hashOf(archived, organizationId)
      const own = Effect.fnUntraced(function*(dryRun: boolean) {
        const [slug] = yield* sql<{ slug: string }>`select slug from organization where id = ${organizationId}`
        return (yield* pruneAll({ dryRun, retention: defaultRetention })).find(({ organization }) =>
          organization === slug!.slug
        )!.pruned
      })
      const sizes = hashOf(Object.keys(grow), organizationId)
      const before = yield* sizes
      const counted = yield* own(true)
      expect(yield* sizes).toEqual(before)

      const removed = yield* own(false)
      expect(removed).toEqual(counted)
      expect(counted.events).toBeGreaterThan(0)
      const rows = Object.fromEntries((yield* sizes).map(([row]) => [row!["name"], row!["rows"]]))
      expect(rows).toEqual({
        // With that of the delivery which is pending
        event: 90,
        webhook_delivery: 90,
        webhook_attempt: 90,
        mail: 44 + 15,
        digest_mail: 57 + 4,
        schedule_run: 399,
        audit_entry: 729,
        share_link: 89,
        idempotency_key: 23
      })

      const left = yield* sizes
      expect(Object.values(yield* own(false))).toEqual(retainedKinds.map(() => 0))
      expect(yield* sizes).toEqual(left)
      expect(yield* hashOf(archived, organizationId)).toEqual(archive)
    })))

  it("upkeep keeps rows for as long as the setting says", () =>
    storage.run(Effect.gen(function*() {
      yield* seedYear
      const forEver = Object.fromEntries(retainedKinds.map((kind) => [kind, 36_500])) as Retention
      const pruned = (yield* pruneAll({ dryRun: false, retention: forEver })).at(-1)!.pruned
      // Only what names a removed recipient goes
      expect(Object.entries(pruned).filter(([, rows]) => rows !== 0).map(([kind]) => kind)).toEqual(["mail", "digests"])
    })))
})
