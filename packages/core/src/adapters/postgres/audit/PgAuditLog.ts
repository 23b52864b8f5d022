import { PgClient } from "@effect/sql-pg"
import { Array, Effect, Layer } from "effect"
import type { ActorKind } from "../../../domain/audit/Actor.ts"
import type { AuditAction, SubjectKind } from "../../../domain/audit/auditActions.ts"
import type { AuditEntry } from "../../../domain/audit/AuditEntry.ts"
import type { ApiKeyId, AuditEntryId, OrganizationId, PersonId } from "../../../domain/ids.ts"
import { AuditLog } from "../../../ports/AuditLog.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { inBatches } from "../values.ts"

interface AuditRow {
  readonly id: string
  readonly at: Date
  readonly person_id: string | null
  readonly api_key_id: string | null
  readonly actor_kind: string
  readonly actor: string
  readonly action: string
  readonly subject_kind: string
  readonly subject_id: string
  readonly detail: AuditEntry["detail"]
}

const entryFromRow = (row: AuditRow): AuditEntry => ({
  id: row.id as AuditEntryId,
  at: row.at,
  actor: {
    kind: row.actor_kind as ActorKind,
    name: row.actor,
    personId: row.person_id as PersonId | null,
    keyId: row.api_key_id as ApiKeyId | null
  },
  action: row.action as AuditAction,
  subject: { kind: row.subject_kind as SubjectKind, id: row.subject_id },
  detail: row.detail
})

const columns = "id, at, person_id, api_key_id, actor_kind, actor, action, subject_kind, subject_id, detail"

/** An entry as a row of table `audit_entry`. */
export const toEntryColumns = (
  sql: PgClient.PgClient,
  organizationId: OrganizationId,
  { action, actor, at, detail, id, subject }: AuditEntry
) => ({
  organization_id: organizationId,
  id,
  at,
  person_id: actor.personId,
  api_key_id: actor.keyId ?? null,
  actor_kind: actor.kind,
  actor: actor.name,
  action,
  subject_kind: subject.kind,
  subject_id: subject.id,
  detail: sql.json(detail)
})

/** The audit log in table `audit_entry`, which refuses to change or remove a row. */
export const PgAuditLog = Layer.effect(
  AuditLog,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const shown = sql.literal(columns)
    return AuditLog.of({
      record: (organizationId, entries) =>
        inBatches(
          sql,
          entries,
          (batch) =>
            sql`insert into audit_entry ${
              sql.insert(Array.map(batch, (entry) => toEntryColumns(sql, organizationId, entry)))
            }`
        ).pipe(Effect.asVoid, withStoreErrors("record in the audit log")),

      find: (organizationId, id) =>
        sql<AuditRow>`select ${shown} from audit_entry where organization_id = ${organizationId} and id = ${id}`.pipe(
          Effect.map(([row]) => row === undefined ? null : entryFromRow(row)),
          withStoreErrors("read the audit log")
        ),

      ofSubjects: (organizationId, kind, ids) =>
        sql<AuditRow>`
          select ${shown} from audit_entry
          where organization_id = ${organizationId} and subject_kind = ${kind} and ${sql.in("subject_id", ids)}
          order by at, id
        `.pipe(Effect.map((rows) => rows.map(entryFromRow)), withStoreErrors("read the audit log")),

      countActs: (organizationId, { action, personId, since }) =>
        sql<{ readonly acts: number }>`
          select count(*)::int as acts from audit_entry
          where organization_id = ${organizationId} and person_id = ${personId} and action = ${action} and at > ${since}
        `.pipe(Effect.map(([row]) => row!.acts), withStoreErrors("read the audit log")),

      page: (organizationId, { action, actor, since }, { after, limit }) =>
        sql<AuditRow>`
          select ${shown} from audit_entry
          where ${
          sql.and([
            sql`organization_id = ${organizationId}`,
            ...(action === undefined ? [] : [sql`action = ${action}`]),
            ...(actor === undefined ? [] : [sql`(actor = ${actor} or actor_kind = ${actor})`]),
            ...(since === undefined ? [] : [sql`at >= ${since}`]),
            ...(after === undefined ? [] : [sql`(at, id) < (${after.createdAt}, ${after.id}::uuid)`])
          ])
        }
          order by at desc, id desc limit ${limit}
        `.pipe(Effect.map((rows) => rows.map(entryFromRow)), withStoreErrors("read the audit log"))
    })
  })
)
