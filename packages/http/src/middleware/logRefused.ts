/** Logs refused connections in few lines, however many a client makes in a second. */
import { Duration, Effect, Latch, Layer } from "effect"

/** How long the log is silent after a line. */
const pause = Duration.minutes(1)

/** Counts refused connections. */
export interface RefusedConnections {
  readonly note: () => void
  /** Logs the first refusal at once, and the number of later ones once a minute, until it is interrupted. */
  readonly log: Effect.Effect<never>
}

/** A counter for one server; `maxConnections` is its limit. */
export const countRefused = (maxConnections: number): RefusedConnections => {
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

/** Logs while the layer lives. */
export const layerRefusedLog = ({ log }: RefusedConnections) => Layer.effectDiscard(Effect.forkScoped(log))
