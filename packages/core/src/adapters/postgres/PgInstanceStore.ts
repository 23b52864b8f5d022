import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { InstanceStore } from "../../ports/InstanceStore.ts"
import { StoreError } from "../../ports/StoreError.ts"
import { withStoreErrors } from "./sqlErrors.ts"

/** Secrets of the installation in table `instance`; none ever changes, so each is read once. */
export const PgInstanceStore = Layer.effect(
  InstanceStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    let known: Uint8Array | undefined
    const cursorKey = sql<{ readonly value: Uint8Array }>`select value from instance where name = 'cursor_key'`.pipe(
      withStoreErrors("read instance"),
      Effect.flatMap(([row]) =>
        row === undefined
          ? Effect.fail(new StoreError({ reason: "internal", message: "read instance: the cursor key is missing" }))
          : Effect.succeed(row.value)
      ),
      Effect.tap((value) => Effect.sync(() => known = value))
    )
    return InstanceStore.of({
      cursorKey: Effect.suspend(() => known === undefined ? cursorKey : Effect.succeed(known))
    })
  })
)
