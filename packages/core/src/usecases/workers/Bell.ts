import { Effect, type Scope } from "effect"

/** Wakes all who hear it. */
export class Bell {
  readonly #ears = new Set<() => void>()

  readonly ring = (): void => {
    for (const hear of this.#ears) hear()
  }

  /** Hears it until the scope closes. */
  readonly hearing = (hear: () => void): Effect.Effect<void, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.sync(() => void this.#ears.add(hear)),
      () => Effect.sync(() => void this.#ears.delete(hear))
    )
}
