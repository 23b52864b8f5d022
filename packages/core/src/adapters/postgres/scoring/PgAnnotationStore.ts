import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { Annotation } from "../../../domain/scoring/Annotation.ts"
import { AnnotationStore } from "../../../ports/AnnotationStore.ts"
import { decodeFirst, decodeRows, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"

const AnnotationRow = rowOf(Annotation.fields)

/** Annotations in table `annotation`. */
export const PgAnnotationStore = Layer.effect(
  AnnotationStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const shown = sql.literal("id, day::text as day, text, created_at")
    return AnnotationStore.of({
      insert: (organizationId, { createdAt, day, id, text }) =>
        sql`
          insert into annotation (organization_id, id, day, text, created_at)
          values (${organizationId}, ${id}, ${day}::text::date, ${text}, ${createdAt})
        `.pipe(Effect.asVoid, withStoreErrors("add annotation")),

      list: (organizationId) =>
        sql`
          select ${shown} from annotation where organization_id = ${organizationId}
          order by annotation.day, created_at, id
        `.pipe(decodeRows(AnnotationRow), withStoreErrors("list annotations")),

      remove: (organizationId, id) =>
        sql`
          delete from annotation where organization_id = ${organizationId} and id = ${id} returning ${shown}
        `.pipe(decodeFirst(AnnotationRow), withStoreErrors("remove annotation"))
    })
  })
)
