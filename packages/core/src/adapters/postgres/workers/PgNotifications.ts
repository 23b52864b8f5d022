import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Stream } from "effect"
import { Notifications } from "../../../ports/Notifications.ts"
import { toStoreError, withStoreErrors } from "../sqlErrors.ts"

/** Notifications through the database's NOTIFY and LISTEN. */
export const PgNotifications = Layer.effect(
  Notifications,
  Effect.map(PgClient.PgClient, (sql) =>
    Notifications.of({
      send: (channel, payload) =>
        sql`select pg_notify(${channel}, ${payload})`.pipe(Effect.asVoid, withStoreErrors("notify")),

      listen: (channel) =>
        Stream.unwrap(Effect.map(sql.listen(channel), Stream.fromQueue)).pipe(
          Stream.map(({ payload }) => payload),
          Stream.mapError((error) => toStoreError("listen", error))
        )
    }))
)
