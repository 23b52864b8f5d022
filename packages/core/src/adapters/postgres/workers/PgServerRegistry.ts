import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { ServerId } from "../../../domain/ids.ts"
import { ServerRegistry } from "../../../ports/ServerRegistry.ts"
import { decodeRows, mapRow, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"

const ServerRow = rowOf({ id: ServerId }).pipe(mapRow(({ id }) => id))

/** Running servers in table `server`. */
export const PgServerRegistry = Layer.effect(
  ServerRegistry,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return ServerRegistry.of({
      heartbeat: (id, now, pruneBefore) =>
        sql`
          with pruned as (delete from server where seen_at < ${pruneBefore} and id <> ${id})
          insert into server (id, seen_at) values (${id}, ${now}) on conflict (id) do update set seen_at = excluded.seen_at
        `.pipe(Effect.asVoid, withStoreErrors("register server")),

      unregister: (id) =>
        sql`delete from server where id = ${id}`.pipe(Effect.asVoid, withStoreErrors("remove server")),

      list: (since) =>
        sql`select id from server where seen_at >= ${since} order by id`.pipe(
          decodeRows(ServerRow),
          withStoreErrors("list servers")
        )
    })
  })
)
