import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import {
  type Alert,
  AlertRuleName,
  eventOfRule,
  getAlertCompetitor,
  getAlertScan,
  Sensitivity
} from "../../../domain/alerts/AlertRule.ts"
import type { RuleMemory } from "../../../domain/alerts/evaluateAlerts.ts"
import { EventId, OrganizationId, ScanId } from "../../../domain/ids.ts"
import { AlertStore, type StoredRuleMemory } from "../../../ports/AlertStore.ts"
import { decodeFirst, decodeRows, jsonOf, mapRow, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { upsert } from "../upsert.ts"
import { formatUuidArray, formatWordArray, literalLimit } from "../values.ts"

// The casts below are safe: each rule is stored together with its memory or data and determines their types
const RememberedRow = rowOf({
  rule: AlertRuleName,
  scanId: ScanId,
  measureVersion: Schema.Int,
  trackedSetVersion: Schema.Int,
  memory: jsonOf<RuleMemory["memory"]>()
}).pipe(mapRow(({ memory, rule, ...row }): StoredRuleMemory => ({ ...row, memory: { rule, memory } as RuleMemory })))

const AlertRow = rowOf({ id: EventId, rule: AlertRuleName, data: jsonOf<Alert["data"]>(), createdAt: Schema.Date })
  .pipe(mapRow((row) => ({ ...row, event: eventOfRule[row.rule] }) as Alert))

const RuleRow = rowOf({
  rule: AlertRuleName,
  enabled: Schema.Boolean,
  threshold: Schema.NullOr(Schema.Number),
  sensitivity: Sensitivity
})
const EvaluatedRow = rowOf({ rule: AlertRuleName })
const CountRow = rowOf({ organizationId: OrganizationId, alerts: Schema.Int })
const ToldRow = rowOf({ form: Schema.String })

/** Rules in table `alert_rule`; alerts in `alert`, which the database keeps append-only. */
export const PgAlertStore = Layer.effect(
  AlertStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return AlertStore.of({
      listRules: (organizationId) =>
        sql`
          select rule, enabled, threshold, sensitivity from alert_rule
          where organization_id = ${organizationId} order by rule
        `.pipe(decodeRows(RuleRow), withStoreErrors("read alert rules")),

      setRule: (organizationId, { enabled, rule, sensitivity, threshold }, at) =>
        upsert(sql, "alert_rule", ["organization_id", "rule"], {
          organization_id: organizationId,
          rule,
          enabled,
          threshold,
          sensitivity,
          changed_at: at
        }).pipe(
          Effect.andThen(sql`delete from alert_memory where organization_id = ${organizationId} and rule = ${rule}`),
          sql.withTransaction,
          Effect.asVoid,
          withStoreErrors("set alert rule")
        ),

      evaluatedSince: (organizationId, { id, simulated, startedAt }) =>
        sql`
          select distinct rule from alert_memory
          join scan on scan.organization_id = alert_memory.organization_id and scan.id = alert_memory.scan_id
          where scan.organization_id = ${organizationId} and scan.simulated = ${simulated}
            and (scan.started_at, scan.id) >= (${startedAt}, ${id})
        `.pipe(
          decodeRows(EvaluatedRow),
          Effect.map((rows) => new Set(rows.map(({ rule }) => rule))),
          withStoreErrors("read which alert rules were evaluated")
        ),

      listMemories: (organizationId, scanIds) =>
        sql`
          select * from alert_memory
          where organization_id = ${organizationId} and scan_id = any (${formatUuidArray(scanIds)}::uuid[])
        `.pipe(decodeRows(RememberedRow), withStoreErrors("read what alert rules remember")),

      saveMemory: (organizationId, { measureVersion, memory, scanId, trackedSetVersion }) =>
        sql`
          insert into alert_memory ${
          sql.insert({
            organization_id: organizationId,
            rule: memory.rule,
            scan_id: scanId,
            measure_version: measureVersion,
            tracked_set_version: trackedSetVersion,
            memory: sql.json(memory.memory)
          })
        }
        `.pipe(Effect.asVoid, withStoreErrors("keep what an alert rule remembers")),

      insert: (organizationId, alert) =>
        sql`insert into alert ${
          sql.insert({
            organization_id: organizationId,
            id: alert.id,
            rule: alert.rule,
            scan_id: getAlertScan(alert),
            competitor_id: getAlertCompetitor(alert),
            data: sql.json(alert.data),
            created_at: alert.createdAt
          })
        }`.pipe(Effect.asVoid, withStoreErrors("add alert")),

      listTold: (organizationId) =>
        sql`select form from told_name where organization_id = ${organizationId}`.pipe(
          decodeRows(ToldRow),
          Effect.map((rows) => rows.map(({ form }) => form)),
          withStoreErrors("list names that were told")
        ),

      keepTold: (organizationId, { alertId, forms, toldAt }) =>
        sql`
          insert into told_name (organization_id, form, alert_id, told_at)
          select ${organizationId}::uuid, form, ${alertId}::uuid, ${toldAt}::timestamptz from unnest(${[
          ...forms
        ]}::text[]) told (form)
        `.pipe(Effect.asVoid, withStoreErrors("keep names that were told")),

      forgetTold: (organizationId, form) =>
        sql`delete from told_name where organization_id = ${organizationId} and form = ${form}`.pipe(
          Effect.asVoid,
          withStoreErrors("forget a name that was told")
        ),

      list: (organizationId, { after, limit, rule, scanId, since = null }) =>
        sql`
          select id, rule, data, created_at from alert where organization_id = ${organizationId}
          ${scanId === undefined ? sql`` : sql`and scan_id = ${scanId}`}
          ${rule === undefined ? sql`` : sql`and rule = ${rule}`}
          ${since === null ? sql`` : sql`and created_at >= ${since}`}
          ${after === undefined ? sql`` : sql`and (created_at, id) < (${after.createdAt}, ${after.id}::uuid)`}
          order by created_at desc, id desc limit ${limit}
        `.pipe(decodeRows(AlertRow), withStoreErrors("list alerts")),

      countsOf: (organizations, limit) =>
        sql`
          select wanted.id as organization_id, alerts
          from unnest(
            ${formatUuidArray(organizations.map(({ organizationId }) => organizationId))}::uuid[],
            ${formatWordArray(organizations.map(({ since }) => since.toISOString()))}::timestamptz[]
          ) wanted (id, since)
          cross join lateral (
            select count(*)::int as alerts from (
              select from alert where alert.organization_id = wanted.id and created_at >= wanted.since
              order by created_at desc, id desc limit ${literalLimit(limit)}
            ) newest
          ) counted
          where alerts > 0
        `.pipe(
          decodeRows(CountRow),
          Effect.map((rows) => new Map(rows.map(({ alerts, organizationId }) => [organizationId, alerts]))),
          withStoreErrors("count alerts")
        ),

      find: (organizationId, id) =>
        sql`
          select id, rule, data, created_at from alert where organization_id = ${organizationId} and id = ${id}
        `.pipe(decodeFirst(AlertRow), withStoreErrors("find alert"))
    })
  })
)
