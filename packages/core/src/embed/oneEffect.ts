/** Two copies of `effect` in one program: one runs what the other made, and their fibers do not know each other. */
import { Effect, Fiber } from "effect"

/** The program and @sov/core have each a copy of `effect`; `message` says how to find out why. */
export class TwoCopiesOfEffect extends Error {
  override readonly name = "TwoCopiesOfEffect"

  constructor(own: string) {
    super(
      `Two copies of "effect" are loaded: @sov/core has ${own}, and the program runs on another one. ` +
        "Install one that satisfies the peer dependency of @sov/core; `npm ls effect` shows where each comes from."
    )
  }
}

const ownFiber: unknown = Effect.runFork(Effect.void).constructor

/** Dies with TwoCopiesOfEffect unless the fiber that runs this is of the copy of `effect` that sov itself loads. */
export const checkOneEffect: Effect.Effect<void> = Effect.suspend(() =>
  Fiber.getCurrent()?.constructor === ownFiber
    ? Effect.void
    : Effect.die(new TwoCopiesOfEffect(import.meta.resolve("effect")))
)
