/**
 * Detects two copies of `effect` in one program, where one copy runs effects of the other and their fibers are
 * incompatible.
 */
import { Effect, Fiber } from "effect"

/** The program and @sov/core each load their own copy of `effect`; `message` explains how to find out why. */
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

/** Dies with TwoCopiesOfEffect unless the fiber that runs this uses the same copy of `effect` that sov loads. */
export const checkOneEffect: Effect.Effect<void> = Effect.suspend(() =>
  Fiber.getCurrent()?.constructor === ownFiber
    ? Effect.void
    : Effect.die(new TwoCopiesOfEffect(import.meta.resolve("effect")))
)
