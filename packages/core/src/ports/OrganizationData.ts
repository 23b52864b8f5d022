/** OrganizationData reads all data of one organization as rows, whatever they mean, and deletes all of it. */
import { Context, type Effect } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import type { Tombstone } from "../domain/organizations/Tombstone.ts"
import type { StoreError } from "./StoreError.ts"

/** The start of a page, which was returned with the page before it. */
export interface RowsStart {
  /** The primary key of the previous row; null starts at the first row. */
  readonly after: ReadonlyArray<string> | null
  readonly limit: number
}

/** An organization that will be deleted unless the request is cancelled. */
export interface DeletionRequest {
  readonly organizationId: OrganizationId
  /** When the deletion was requested, by the database's clock. */
  readonly requestedAt: Date
  readonly requestedBy: string
  /** Whether the grace period is over, by the database's clock. */
  readonly due: boolean
}

export class OrganizationData extends Context.Service<OrganizationData, {
  /**
   * The tables that `page` reads, including the organization's own, in an order in which their rows can be inserted.
   */
  readonly tables: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<string>, StoreError>
  /**
   * The organization's rows of one table in the order of its key: at most 1,000 rows and about 1 MB, each a JSON object
   * of its columns by name. Leaves out hashes of keys, secrets, and the texts of e-mails, because they contain links
   * that sign in or unsubscribe. `start` null: the first page; `next` null: this was the last page.
   */
  readonly page: (
    organizationId: OrganizationId,
    table: string,
    start: RowsStart | null
  ) => Effect.Effect<{ readonly rows: ReadonlyArray<string>; readonly next: RowsStart | null }, StoreError>
  /** The number of the organization's rows in each table that has any. */
  readonly count: (
    organizationId: OrganizationId
  ) => Effect.Effect<{ readonly [table: string]: number }, StoreError>
  /**
   * Requests the deletion of the organization, unless it is already requested. Returns the request, and whether it is
   * new.
   */
  readonly requestDeletion: (
    organizationId: OrganizationId,
    by: string
  ) => Effect.Effect<{ readonly request: DeletionRequest; readonly created: boolean }, StoreError>
  /** Returns whether there was a request to cancel. */
  readonly cancelDeletion: (organizationId: OrganizationId) => Effect.Effect<boolean, StoreError>
  /** All requests for deletion, oldest first. */
  readonly deletionRequests: Effect.Effect<ReadonlyArray<DeletionRequest>, StoreError>
  /**
   * Deletes every row of the organization, including its own, and people who belong to no other organization, all or
   * nothing. Null if there is no such organization. Fails with `constraint` before the grace period of its request is
   * over; `atOnce` needs no request and fails with `denied` for a role that does not own the tables.
   */
  readonly delete: (
    organizationId: OrganizationId,
    options: { readonly by: string; readonly atOnce: boolean }
  ) => Effect.Effect<Tombstone | null, StoreError>
  /** The tombstones of all deleted organizations as stored, oldest first. */
  readonly tombstones: Effect.Effect<ReadonlyArray<Tombstone>, StoreError>
}>()("@sov/core/ports/OrganizationData") {}
