import type { PgClient } from "@effect/sql-pg"
import type { OrganizationId } from "../../../domain/ids.ts"
import type { StoredSources } from "../../../ports/SourceStore.ts"
import { toInt4 } from "../values.ts"

/** Column types of table `answer_sources`, for statements that must name them. */
export const sourceTypes = {
  organization_id: "uuid",
  answer_id: "uuid",
  source_version: "integer",
  status: "text",
  sources: "jsonb",
  queries: "text[]",
  cut: "integer",
  derived_at: "timestamptz"
}

/** Sources as a row of table `answer_sources`. */
export const sourceColumns = (sql: PgClient.PgClient, organizationId: OrganizationId, stored: StoredSources) => ({
  organization_id: organizationId,
  answer_id: stored.answerId,
  source_version: stored.sourceVersion,
  status: stored.status,
  sources: sql.json(stored.sources),
  queries: stored.queries,
  cut: toInt4(stored.cut)!,
  derived_at: stored.derivedAt
})
