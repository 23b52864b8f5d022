import { Effect, type Scope } from "effect"

/** Tells every subscriber that there may be work. It carries no data and remembers nothing. */
export class WakeSignal {
  readonly #listeners = new Set<() => void>()

  /** Calls every listener. */
  readonly notify = (): void => {
    for (const listener of this.#listeners) listener()
  }

  /** Calls `listener` at each `notify` until the scope closes. */
  readonly subscribe = (listener: () => void): Effect.Effect<void, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.sync(() => void this.#listeners.add(listener)),
      () => Effect.sync(() => void this.#listeners.delete(listener))
    )
}
