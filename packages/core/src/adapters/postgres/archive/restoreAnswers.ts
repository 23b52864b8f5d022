import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { hashLeaf } from "../../../domain/archive/Seal.ts"
import type { OrganizationId } from "../../../domain/ids.ts"
import { locateSource } from "../../../domain/sources/deriveSources.ts"
import type { ExportedAnswer } from "../../../ports/ArchiveStore.ts"

/** The columns for the provenance of an exported answer, and the values derived from the provenance. */
const toProvenanceMembers = ({ provenance, reported }: ExportedAnswer) =>
  provenance == null ? { leaf_version: 1, model: "unknown" } : {
    leaf_version: provenance.asked == null ? 2 : 3,
    asked: provenance.asked ?? null,
    model: provenance.model,
    search: provenance.search,
    payload_sha256: provenance.payloadSha256,
    source_version: provenance.sourceVersion,
    status: reported?.status ?? "unsupported",
    cut: reported?.cut ?? 0,
    sources: provenance.sources.map((source) => ({ ...source, ...locateSource(source) })),
    queries: provenance.queries
  }

/**
 * Adds answers with completed cells, whose ids are those of the answers. Several answers to one question are its
 * samples: in the order of their ids within the batch, they get the sample numbers that no cell has yet.
 */
export const restoreAnswers = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  answers: ReadonlyArray<ExportedAnswer>
): Effect.Effect<void, SqlError.SqlError> =>
  sql`
    with given as (
      select * from json_to_recordset(${
    JSON.stringify(answers.map((answer) => ({
      id: answer.id,
      scan_id: answer.scanId,
      platform: answer.platform,
      keyword_id: answer.keywordId,
      prompt_used: answer.promptUsed,
      raw_response: answer.rawResponse,
      created_at: answer.createdAt,
      simulated: answer.simulated,
      leaf_hash: Buffer.from(hashLeaf(answer)).toString("hex"),
      ...toProvenanceMembers(answer)
    })))
  }::text::json) as r(
        id uuid, scan_id uuid, platform text, keyword_id uuid, prompt_used text, raw_response text,
        created_at timestamptz, simulated boolean, leaf_hash text, leaf_version smallint, model text, search text,
        asked jsonb, payload_sha256 text, source_version integer, status text, cut integer, sources jsonb, queries text[]
      )
    ), numbered as (
      select given.*, row_number() over (partition by scan_id, keyword_id, platform order by id) as n from given
    ), asked as (
      insert into cell (organization_id, id, scan_id, keyword_id, platform, sample, state, due_at)
      select ${organizationId}::uuid, id, scan_id, keyword_id, platform,
        free.sample, 'answered', created_at
      from numbered cross join lateral (
        select number as sample
        from (
          select array_agg(cell.sample) as taken from cell
          where cell.organization_id = ${organizationId} and cell.scan_id = numbered.scan_id
            and cell.keyword_id = numbered.keyword_id and cell.platform = numbered.platform
        ) there, generate_series(1, numbered.n + coalesce(cardinality(taken), 0)) number
        where taken is null or number <> all (taken)
        order by number offset numbered.n - 1 limit 1
      ) free
      returning id, sample
    ), added as (
    insert into answer (organization_id, id, scan_id, cell_id, keyword_id, platform, sample, prompt_used, raw_response,
      payload, payload_sha256, leaf_hash, leaf_version, adapter, model, latency_ms, finish, citations, search, asked,
      simulated, created_at)
    select ${organizationId}::uuid, id, scan_id, id, keyword_id, platform, sample, prompt_used, raw_response,
      ''::bytea, decode(payload_sha256, 'hex'), decode(leaf_hash, 'hex'), leaf_version, 'import', model, 0, 'other', '[]',
      search, asked, simulated, created_at
    from given join asked using (id)
    returning id
    )
    insert into answer_sources (organization_id, answer_id, source_version, status, sources, queries, cut, derived_at)
    select ${organizationId}::uuid, id, source_version, status, sources, queries, cut, created_at
    from given join added using (id) where leaf_version > 1
  `.pipe(Effect.asVoid)
