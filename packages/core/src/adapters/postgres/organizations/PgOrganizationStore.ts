import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { Organization } from "../../../domain/organizations/Organization.ts"
import { OrganizationExists, OrganizationStore } from "../../../ports/OrganizationStore.ts"
import { decodeFirst, decodeRows, joinOf, mapRow, rowOf, toColumns } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { OrganizationRow } from "./organizationRow.ts"

const CreatedRow = joinOf({
  organization: OrganizationRow,
  creation: rowOf({ fingerprint: Schema.Uint8Array }, { fingerprint: "creation_fingerprint" })
}).pipe(mapRow(({ creation, organization }) => ({ organization, ...creation })))

/** Organizations in table `organization`. */
export const PgOrganizationStore = Layer.effect(
  OrganizationStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return OrganizationStore.of({
      create: Effect.fnUntraced(function*(organization, creation) {
        const created = yield* sql`insert into organization ${
          sql.insert({
            ...toColumns(Organization.fields, organization),
            creation_key: creation?.key ?? null,
            creation_fingerprint: creation?.fingerprint ?? null
          })
        } on conflict do nothing returning id`.pipe(withStoreErrors("create organization"))
        if (created.length === 0) return yield* new OrganizationExists({ name: organization.name })
      }),

      list: sql`select * from organization order by created_at, id`.pipe(
        decodeRows(OrganizationRow),
        withStoreErrors("list organizations")
      ),

      limited: sql`
        select * from organization where suspended_at is not null or monthly_budget_usd is not null
      `.pipe(decodeRows(OrganizationRow), withStoreErrors("list limited organizations")),

      find: (id) =>
        sql`select * from organization where id = ${id}`.pipe(
          decodeFirst(OrganizationRow),
          withStoreErrors("find organization")
        ),

      findByCreation: (key) =>
        sql`select * from organization where creation_key = ${key}`.pipe(
          decodeFirst(CreatedRow),
          withStoreErrors("find organization")
        ),

      findNamed: (idOrSlug) =>
        // An organization's slug can equal the id of another one, because names may look like ids; the id wins
        sql`
          select * from organization where id::text = ${idOrSlug} or slug = ${idOrSlug}
          order by id::text = ${idOrSlug} desc limit 1
        `.pipe(
          decodeFirst(OrganizationRow),
          withStoreErrors("find organization")
        ),

      page: ({ after, limit }) =>
        sql`
          select * from organization
          ${
          after === undefined ? sql.literal("") : sql`where (created_at, id) > (${after.createdAt}, ${after.id}::uuid)`
        }
          order by created_at, id limit ${limit}
        `.pipe(decodeRows(OrganizationRow), withStoreErrors("list organizations")),

      rename: (id, name) =>
        sql`update organization set name = ${name} where id = ${id}`.pipe(
          Effect.asVoid,
          withStoreErrors("rename organization"),
          Effect.catchIf(({ reason }) => reason === "constraint", () => Effect.fail(new OrganizationExists({ name })))
        ),

      setTimeZone: (id, timeZone) =>
        sql`update organization set time_zone = ${timeZone} where id = ${id}`.pipe(
          Effect.asVoid,
          withStoreErrors("set time zone")
        ),

      setSuspension: (id, suspension) =>
        sql`
          update organization set suspended_at = ${suspension?.at ?? null}, suspended_for = ${
          suspension?.reason ?? null
        }
          where id = ${id}
        `.pipe(Effect.asVoid, withStoreErrors("suspend organization")),

      setLimits: (id, { monthlyBudgetUsd, requestRate }) =>
        sql`
          update organization set request_rate = ${requestRate}, monthly_budget_usd = ${monthlyBudgetUsd}
          where id = ${id}
        `.pipe(Effect.asVoid, withStoreErrors("set limits")),

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
