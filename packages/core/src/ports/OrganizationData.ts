/** OrganizationData has everything of one organization as rows, whatever the rows mean, and deletes all of them. */
import { Context, type Effect } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import type { Tombstone } from "../domain/organizations/Tombstone.ts"
import type { StoreError } from "./StoreError.ts"

/** Where a page begins: what the page before it said is next. */
export interface RowsStart {
  /** The primary key of the row before; null = the first row. */
  readonly after: ReadonlyArray<string> | null
  readonly limit: number
}

/** An organization that is to be deleted unless the request is cancelled. */
export interface DeletionRequest {
  readonly organizationId: OrganizationId
  /** By the database's clock. */
  readonly requestedAt: Date
  readonly requestedBy: string
  /** Whether its grace is over, by the database's clock. */
  readonly due: boolean
}

export class OrganizationData extends Context.Service<OrganizationData, {
  /** The tables that `page` reads, in an order in which their rows can be inserted; the organization's own is one. */
  readonly tables: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<string>, StoreError>
  /**
   * The organization's rows of one table in the order of its key: at most 1,000, of about 1 MB, each an object of JSON
   * with its columns by name. Left out are hashes of keys, secrets, and the texts of e-mails, because they have links
   * that sign in or unsubscribe. `start` null = the first page; `next` null = it was the last.
   */
  readonly page: (
    organizationId: OrganizationId,
    table: string,
    start: RowsStart | null
  ) => Effect.Effect<{ readonly rows: ReadonlyArray<string>; readonly next: RowsStart | null }, StoreError>
  /** How many rows each table has of the organization: the tables that have any. */
  readonly count: (
    organizationId: OrganizationId
  ) => Effect.Effect<{ readonly [table: string]: number }, StoreError>
  /** Requests its deletion, unless there is a request already. Returns the one that holds, and whether it is new. */
  readonly requestDeletion: (
    organizationId: OrganizationId,
    by: string
  ) => Effect.Effect<{ readonly request: DeletionRequest; readonly created: boolean }, StoreError>
  /** Returns whether there was a request. */
  readonly cancelDeletion: (organizationId: OrganizationId) => Effect.Effect<boolean, StoreError>
  /** All requests, oldest first. */
  readonly deletionRequests: Effect.Effect<ReadonlyArray<DeletionRequest>, StoreError>
  /**
   * Deletes every row of the organization, its own, and people who belong to no other, as a whole or not at all. Null:
   * there is no such organization. Refused (`constraint`) before the grace of its request is over; `atOnce` needs no
   * request and is refused (`denied`) to a role that doesn't own the tables.
   */
  readonly delete: (
    organizationId: OrganizationId,
    options: { readonly by: string; readonly atOnce: boolean }
  ) => Effect.Effect<Tombstone | null, StoreError>
  /** The tombstones of all deleted organizations as they are stored, oldest first. */
  readonly tombstones: Effect.Effect<ReadonlyArray<Tombstone>, StoreError>
}>()("@sov/core/ports/OrganizationData") {}
