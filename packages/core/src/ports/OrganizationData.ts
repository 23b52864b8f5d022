/** OrganizationData has everything of one organization as rows, whatever the rows mean. */
import { Context, type Effect } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import type { StoreError } from "./StoreError.ts"

/** Where a page begins: what the page before it said is next. */
export interface RowsStart {
  /** The primary key of the row before; null = the first row. */
  readonly after: ReadonlyArray<string> | null
  readonly limit: number
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
}>()("@sov/core/ports/OrganizationData") {}
