import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { OrganizationExists, OrganizationStore } from "../../../ports/OrganizationStore.ts"
import { decodeFirst, decodeRows } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { OrganizationRow } from "./organizationRow.ts"

/** Tenants in table `organization`. */
export const PgOrganizationStore = Layer.effect(
  OrganizationStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return OrganizationStore.of({
      create: Effect.fnUntraced(function*(organization) {
        const created = yield* sql`insert into organization ${
          sql.insert({
            id: organization.id,
            name: organization.name,
            slug: organization.slug,
            plan: organization.plan,
            time_zone: organization.timeZone,
            scan_quota: organization.scanQuota,
            history_days: organization.historyDays,
            created_at: organization.createdAt
          })
        } on conflict do nothing returning id`.pipe(withStoreErrors("create organization"))
        if (created.length === 0) return yield* new OrganizationExists({ name: organization.name })
      }),

      list: sql`select * from organization order by created_at, id`.pipe(
        decodeRows(OrganizationRow),
        withStoreErrors("list organizations")
      ),

      find: (id) =>
        sql`select * from organization where id = ${id}`.pipe(
          decodeFirst(OrganizationRow),
          withStoreErrors("find organization")
        ),

      lock: (id) =>
        sql`select from organization where id = ${id} for no key update`.pipe(
          Effect.asVoid,
          withStoreErrors("lock organization")
        ),

      setPlan: (id, plan) =>
        sql`update organization set plan = ${plan} where id = ${id}`.pipe(Effect.asVoid, withStoreErrors("set plan")),

      setScanQuota: (id, limit) =>
        sql`update organization set scan_quota = ${limit} where id = ${id}`.pipe(
          Effect.asVoid,
          withStoreErrors("set quota")
        )
    })
  })
)
