/** Logs refused connections in a few lines, however many a client causes in a second. */
import { Duration, Effect, Latch, Layer } from "effect"

/** Minimum time between two lines in the log. */
const pause = Duration.minutes(1)

/** Counts refused connections. */
export interface RefusedConnections {
  readonly note: () => void
  /** Logs the first refusal at once, and the number of later ones once a minute, until it is interrupted. */
  readonly log: Effect.Effect<never>
}

/** Counts refused connections of one server; `maxConnections` is the server's limit. */
export const makeRefusedConnections = (maxConnections: number): RefusedConnections => {
  const some = Latch.makeUnsafe()
  let count = 0
  const logOnce = Effect.gen(function*() {
    yield* some.await
    const refused = count
    count = 0
    yield* some.close
    yield* Effect.logWarning(
      `${refused} connection${refused === 1 ? "" : "s"} refused: their network had ${maxConnections} open already ` +
        "(SOV_MAX_CONNECTIONS; a proxy is named in SOV_TRUSTED_PROXIES)"
    )
    yield* Effect.sleep(pause)
  })
  return {
    note: () => {
      count++
      some.openUnsafe()
    },
    log: Effect.forever(logOnce)
  }
}

/** Logs refused connections for the lifetime of the layer. */
export const layerRefusedLog = ({ log }: RefusedConnections) => Layer.effectDiscard(Effect.forkScoped(log))
