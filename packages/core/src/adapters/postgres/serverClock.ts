import { Clock, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The present time according to the database server, read at the start and every two seconds, so that processes that
 * share a server agree on what is due even if their machines' clocks differ. Between reads, the monotonic clock
 * advances the time, so that setting a machine's clock neither skips nor repeats work. A clock that the program itself
 * provides is not replaced.
 */
export const layerServerClock = Layer.effect(
  Clock.Clock,
  Effect.gen(function*() {
    const own = yield* Clock.Clock
    if ((yield* Effect.context()).mapUnsafe.has(Clock.Clock.key)) return own
    const sql = yield* SqlClient.SqlClient
    const readMonotonicMs = () => Number(own.monotonicTimeNanosUnsafe()) / 1_000_000
    let aheadMs = own.currentTimeMillisUnsafe() - readMonotonicMs()
    const ask = Effect.gen(function*() {
      const askedMs = readMonotonicMs()
      const [server] = yield* sql<{ readonly ms: number }>`
        select extract(epoch from clock_timestamp())::float8 * 1000 as ms
      `
      // The server read its clock between request and reply, so an offset that fits both times is kept
      if (server !== undefined) {
        aheadMs = Math.min(Math.max(aheadMs, server.ms - readMonotonicMs()), server.ms - askedMs)
      }
    }).pipe(Effect.timeout("5 seconds"), Effect.ignore)
    yield* ask
    yield* Effect.forkScoped(Effect.repeat(ask, Schedule.spaced("2 seconds")))
    const readMs = () => Math.floor(readMonotonicMs() + aheadMs)
    const readNanos = () => BigInt(readMs()) * 1_000_000n
    const clock: Clock.Clock = {
      currentTimeMillisUnsafe: readMs,
      currentTimeMillis: Effect.sync(readMs),
      currentTimeNanosUnsafe: readNanos,
      currentTimeNanos: Effect.sync(readNanos),
      monotonicTimeNanosUnsafe: () => own.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: own.monotonicTimeNanos,
      sleep: (duration) => own.sleep(duration)
    }
    return clock
  })
)
