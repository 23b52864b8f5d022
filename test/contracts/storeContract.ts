/** The form of a port's contract suite: programs over the ports, to be run by any test library on any adapter. */
import type { Stores } from "@sov/core/testing"
import { Cause, Effect, Exit } from "effect"
import assert from "node:assert/strict"

/** One promise of a port; the effect dies when it is broken. */
export interface StoreTest {
  readonly name: string
  readonly effect: Effect.Effect<void, never, Stores>
}

/** All promises of one port. */
export interface StoreContract {
  readonly port: string
  readonly tests: ReadonlyArray<StoreTest>
}

/** A suite from its tests by name. */
export const storeContract = <E>(
  port: string,
  tests: { readonly [name: string]: () => Effect.Effect<unknown, E, Stores> }
): StoreContract => ({
  port,
  tests: Object.entries(tests).map(([name, body]) => ({
    name,
    effect: Effect.orDie(Effect.asVoid(Effect.suspend(body)))
  }))
})

/** Bytes compare by content, whatever class holds them. */
export const sameBytes = (actual: Uint8Array | null, expected: Uint8Array): void => {
  assert.ok(actual !== null, "no bytes")
  assert.deepEqual([...actual], [...expected])
}

/** The typed failure of an effect that must fail. */
export const failureOf = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<E, never, R> =>
  Effect.map(Effect.exit(effect), (exit) => {
    assert.ok(Exit.isFailure(exit), "it must fail")
    const failure = exit.cause.reasons.find(Cause.isFailReason)
    assert.ok(failure !== undefined, `it must fail with an error, not: ${Cause.pretty(exit.cause)}`)
    return failure.error
  })
