import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { ExperimentId, OrganizationId } from "../../../domain/ids.ts"
import { ExperimentEnds } from "../../../ports/ExperimentEnds.ts"
import { decodeRows, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"

const DueRow = rowOf({ organizationId: OrganizationId, experimentId: ExperimentId, dueAt: Schema.Date })

/** The ends of experiments that must still be announced, in table `experiment_end`. */
export const PgExperimentEnds = Layer.effect(
  ExperimentEnds,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return ExperimentEnds.of({
      insert: (organizationId, experimentId, dueAt) =>
        sql`
          insert into experiment_end (organization_id, experiment_id, due_at)
          values (${organizationId}, ${experimentId}, ${dueAt})
        `.pipe(Effect.asVoid, withStoreErrors("add end of experiment")),

      listDue: (until) =>
        sql`
          select organization_id, experiment_id, due_at from experiment_end where due_at <= ${until}
          order by due_at, organization_id, experiment_id
        `.pipe(decodeRows(DueRow), withStoreErrors("list ended experiments")),

      take: (organizationId, experimentId) =>
        sql`
          delete from experiment_end
          where organization_id = ${organizationId} and experiment_id = ${experimentId} returning experiment_id
        `.pipe(Effect.map((rows) => rows.length === 1), withStoreErrors("take end of experiment"))
    })
  })
)
