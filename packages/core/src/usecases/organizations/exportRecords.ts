import { Effect, Option, Stream } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { OrganizationData, type RowsStart } from "../../ports/OrganizationData.ts"

/** Tables that are exported separately, as the archive and as the audit log. */
const exportedElsewhere = new Set(["answer", "answer_sources", "audit_entry"])

/**
 * All other rows of the organization, without secrets, page by page: one line of NDJSON per row, `{"keyword":{…}}`.
 * Fails with StoreError only.
 */
export const exportRecords = (organizationId: OrganizationId) =>
  OrganizationData.pipe(
    Effect.map((data) =>
      Stream.fromIterableEffect(data.tables(organizationId)).pipe(
        Stream.filter((table) => !exportedElsewhere.has(table)),
        Stream.flatMap((table) =>
          Stream.paginate(null as RowsStart | null, (start) =>
            Effect.map(
              data.page(organizationId, table, start),
              ({ next, rows }) => [[rows.map((row) => `{"${table}":${row}}`)], Option.fromNullOr(next)] as const
            ))
        )
      )
    ),
    Stream.unwrap
  )
