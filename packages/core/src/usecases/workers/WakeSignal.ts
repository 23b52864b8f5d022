import { Effect, type Scope } from "effect"

/** Notifies every subscriber that there may be work, and where. It stores nothing. */
export class WakeSignal<A = void> {
  readonly #listeners = new Set<(what: A) => void>()

  /** Calls every listener. */
  readonly notify = (what: A): void => {
    for (const listener of this.#listeners) listener(what)
  }

  /** Calls `listener` at each `notify` until the scope closes. */
  readonly subscribe = (listener: (what: A) => void): Effect.Effect<void, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.sync(() => void this.#listeners.add(listener)),
      () => Effect.sync(() => void this.#listeners.delete(listener))
    )
}
