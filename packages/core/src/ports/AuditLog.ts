import { Context, type Effect } from "effect"
import type { AuditAction, SubjectKind } from "../domain/audit/auditActions.ts"
import type { AuditEntry } from "../domain/audit/AuditEntry.ts"
import type { PagePosition } from "../domain/Cursor.ts"
import type { AuditEntryId, OrganizationId, PersonId } from "../domain/ids.ts"
import type { StoreError } from "./StoreError.ts"

/** Which entries to read; without filters, all of them. */
export interface AuditFilters {
  /** Name or kind of the actor. */
  readonly actor?: string
  readonly action?: AuditAction
  /** Entries at this time or later. */
  readonly since?: Date
}

/** AuditLog stores permanently who changed what: no entry is ever changed or removed. */
export class AuditLog extends Context.Service<AuditLog, {
  /** Adds entries, in one statement for up to 500. */
  readonly record: (
    organizationId: OrganizationId,
    entries: ReadonlyArray<AuditEntry>
  ) => Effect.Effect<void, StoreError>
  /** One entry; null if absent. */
  readonly find: (organizationId: OrganizationId, id: AuditEntryId) => Effect.Effect<AuditEntry | null, StoreError>
  /** All entries about these subjects, oldest first. */
  readonly ofSubjects: (
    organizationId: OrganizationId,
    kind: SubjectKind,
    ids: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<AuditEntry>, StoreError>
  /** The ids of the entries by which the person performed this action after `since`, in any order. */
  readonly listActs: (
    organizationId: OrganizationId,
    acts: { readonly personId: PersonId; readonly action: AuditAction; readonly since: Date }
  ) => Effect.Effect<ReadonlyArray<AuditEntryId>, StoreError>
  /** Entries by time and id, newest first; with `after`, only the entries that follow it. */
  readonly page: (
    organizationId: OrganizationId,
    filters: AuditFilters,
    page: { readonly limit: number; readonly after?: PagePosition }
  ) => Effect.Effect<ReadonlyArray<AuditEntry>, StoreError>
}>()("@sov/core/ports/AuditLog") {}
