import { PgClient } from "@effect/sql-pg"
import { Array, Effect, Layer, Schema } from "effect"
import { ActorKind } from "../../../domain/audit/Actor.ts"
import { AuditAction, SubjectKind } from "../../../domain/audit/auditActions.ts"
import type { AuditEntry } from "../../../domain/audit/AuditEntry.ts"
import { ApiKeyId, AuditEntryId, type OrganizationId, PersonId } from "../../../domain/ids.ts"
import { AuditLog } from "../../../ports/AuditLog.ts"
import { decodeFirst, decodeRows, jsonOf, listColumns, mapRow, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { inBatches } from "../values.ts"

const entryColumns = {
  id: AuditEntryId,
  at: Schema.Date,
  personId: Schema.NullOr(PersonId),
  apiKeyId: Schema.NullOr(ApiKeyId),
  actorKind: ActorKind,
  actor: Schema.String,
  action: AuditAction,
  subjectKind: SubjectKind,
  subjectId: Schema.String,
  detail: jsonOf<AuditEntry["detail"]>()
}

const EntryRow = rowOf(entryColumns).pipe(
  mapRow(({ actor: name, actorKind, apiKeyId: keyId, personId, subjectId, subjectKind, ...entry }): AuditEntry => ({
    ...entry,
    actor: { kind: actorKind, name, personId, keyId },
    subject: { kind: subjectKind, id: subjectId }
  }))
)

const IdRow = rowOf({ id: AuditEntryId }).pipe(mapRow(({ id }) => id))

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

/** The audit log in table `audit_entry`, whose rows cannot be changed, nor removed before 28 days. */
export const PgAuditLog = Layer.effect(
  AuditLog,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const shown = sql.literal(listColumns(entryColumns))
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
        sql`select ${shown} from audit_entry where organization_id = ${organizationId} and id = ${id}`.pipe(
          decodeFirst(EntryRow),
          withStoreErrors("read the audit log")
        ),

      ofSubjects: (organizationId, kind, ids) =>
        sql`
          select ${shown} from audit_entry
          where organization_id = ${organizationId} and subject_kind = ${kind} and ${sql.in("subject_id", ids)}
          order by at, id
        `.pipe(decodeRows(EntryRow), withStoreErrors("read the audit log")),

      listActs: (organizationId, { action, personId, since }) =>
        sql`
          select id from audit_entry
          where organization_id = ${organizationId} and person_id = ${personId} and action = ${action} and at > ${since}
        `.pipe(decodeRows(IdRow), withStoreErrors("read the audit log")),

      page: (organizationId, { action, actor, since }, { after, limit }) =>
        sql`
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
        `.pipe(decodeRows(EntryRow), withStoreErrors("read the audit log"))
    })
  })
)
