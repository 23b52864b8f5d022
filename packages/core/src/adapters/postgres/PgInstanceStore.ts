import { PgClient } from "@effect/sql-pg"
import { Clock, Duration, Effect, Layer, Schema } from "effect"
import { previousCursorKeyLifetime } from "../../domain/Cursor.ts"
import { InstanceStore } from "../../ports/InstanceStore.ts"
import { StoreError } from "../../ports/StoreError.ts"
import { decodeFirst, decodeRows, mapRow, rowOf } from "./rows.ts"
import { withStoreErrors } from "./sqlErrors.ts"

const SecretRow = rowOf({ name: Schema.String, value: Schema.Uint8Array, createdAt: Schema.Date })
const ValueRow = rowOf({ value: Schema.Uint8Array }).pipe(mapRow(({ value }) => value))

/** How long keys are cached, in milliseconds. */
const rememberedMs = 60_000

type CursorKeys = readonly [Uint8Array, ...ReadonlyArray<Uint8Array>]

/** Secrets of the installation in table `instance`. */
export const PgInstanceStore = Layer.effect(
  InstanceStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    let known: { readonly keys: CursorKeys; readonly until: number } | undefined
    let first: Uint8Array | undefined

    const requireKey = (value: Uint8Array | null | undefined) =>
      value == null
        ? Effect.fail(new StoreError({ reason: "internal", message: "read instance: the cursor key is missing" }))
        : Effect.succeed(value)

    const readCursorKeys = Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const rows = yield* sql`
        select name, value, created_at from instance where name in ('cursor_key', 'previous_cursor_key')
      `.pipe(decodeRows(SecretRow), withStoreErrors("read instance"))
      const current = yield* requireKey(rows.find(({ name }) => name === "cursor_key")?.value)
      const previous = rows.filter(({ createdAt, name }) =>
        name === "previous_cursor_key" && now < createdAt.getTime() + Duration.toMillis(previousCursorKeyLifetime)
      )
      const keys: CursorKeys = [current, ...previous.map(({ value }) => value)]
      known = { keys, until: now + rememberedMs }
      return keys
    })

    return InstanceStore.of({
      readCursorKeys,

      cursorKeys: Effect.flatMap(
        Clock.currentTimeMillis,
        (now) => known !== undefined && now < known.until ? Effect.succeed(known.keys) : readCursorKeys
      ),

      firstCursorKey: Effect.suspend(() =>
        first !== undefined ? Effect.succeed(first) : sql`
          select value from instance where name in ('first_cursor_key', 'cursor_key') order by name desc limit 1
        `.pipe(
          decodeFirst(ValueRow),
          withStoreErrors("read instance"),
          Effect.flatMap(requireKey),
          Effect.tap((value) => Effect.sync(() => first = value))
        )
      ),

      rotateCursorKey: Effect.fnUntraced(
        function*(key, at, { keepPrevious }) {
          yield* sql`select from instance where name = 'cursor_key' for update`
          yield* sql`
            insert into instance (name, value, created_at)
            select 'first_cursor_key', value, created_at from instance where name = 'cursor_key'
            on conflict (name) do nothing
          `
          yield* keepPrevious
            ? sql`
              insert into instance (name, value, created_at)
              select 'previous_cursor_key', value, ${at} from instance where name = 'cursor_key'
              on conflict (name) do update set value = excluded.value, created_at = excluded.created_at
            `
            : sql`delete from instance where name = 'previous_cursor_key'`
          yield* sql`update instance set value = ${key}, created_at = ${at} where name = 'cursor_key'`
          known = undefined
        },
        sql.withTransaction,
        withStoreErrors("rotate cursor key")
      )
    })
  })
)
