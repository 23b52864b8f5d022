import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { InstanceStore } from "../../ports/InstanceStore.ts"
import { StoreError } from "../../ports/StoreError.ts"
import { guarded } from "./sqlErrors.ts"

/** Secrets of the installation in table `instance`. */
export const PgInstanceStore = Layer.effect(
  InstanceStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return InstanceStore.of({
      cursorKey: sql<{ readonly value: Uint8Array }>`select value from instance where name = 'cursor_key'`.pipe(
        guarded("read instance"),
        Effect.flatMap(([row]) =>
          row === undefined
            ? Effect.fail(new StoreError({ reason: "internal", message: "read instance: the cursor key is missing" }))
            : Effect.succeed(row.value)
        )
      )
    })
  })
)
