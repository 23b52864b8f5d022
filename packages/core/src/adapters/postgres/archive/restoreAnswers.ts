import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { leafHash } from "../../../domain/archive/Seal.ts"
import type { OrganizationId } from "../../../domain/ids.ts"
import type { ExportedAnswer } from "../../../ports/ArchiveStore.ts"

/**
 * Adds answers with ended cells, which get the answers' ids. Several answers to one question are its samples: in the
 * order of their ids within the batch they get the numbers that no cell has yet.
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
      leaf_hash: Buffer.from(leafHash(answer)).toString("hex")
    })))
  }::text::json) as r(
        id uuid, scan_id uuid, platform text, keyword_id uuid, prompt_used text, raw_response text,
        created_at timestamptz, simulated boolean, leaf_hash text
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
    )
    insert into answer (organization_id, id, scan_id, cell_id, keyword_id, platform, sample, prompt_used, raw_response,
      payload, leaf_hash, adapter, model, latency_ms, finish, citations, simulated, created_at)
    select ${organizationId}::uuid, id, scan_id, id, keyword_id, platform, sample, prompt_used, raw_response,
      ''::bytea, decode(leaf_hash, 'hex'), 'import', 'unknown', 0, 'other', '[]', simulated, created_at
    from given join asked using (id)
  `.pipe(Effect.asVoid)
