/** The log of connections that were refused, as many as somebody may make in a second. */
import { Duration, Effect, Latch, Layer } from "effect"

/** How long the log says nothing after a line. */
const pause = Duration.minutes(1)

/** Counts what is refused. */
export interface RefusedConnections {
  readonly note: () => void
  /** Logs the first at once, and those that follow once a minute with their number, until it is interrupted. */
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
