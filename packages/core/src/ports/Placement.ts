/** Placement decides which of the processes that share a database does a piece of standing work. */
import { Context, type Effect, type Scope } from "effect"
import type { StoreError } from "./StoreError.ts"

/** Standing work by its name: names are the same in all processes, so is what is done under each. */
export type StandingWork<R> = { readonly [name: string]: Effect.Effect<void, never, R> }

export class Placement extends Context.Service<Placement, {
  /**
   * Whether a name never runs in two processes, not even for a moment. Where it is false, a process that lost its place
   * without knowing may still be ending its work: whoever begins has to see to that.
   */
  readonly exact: boolean
  /**
   * Takes part in the work until the scope closes: each name runs in exactly one of the processes that take part. When
   * it has to move or the scope closes it is interrupted here and awaited, however long that takes, before another
   * process begins it; all of one call are interrupted at once. Work that ends or dies while it is placed here is begun
   * again a second later, in a new scope. All processes take part in the same names: a name that the chosen process does
   * not know rests there. A process that lost its place without knowing (frozen, cut off from the database) interrupts the
   * work when it notices: until it has ended, another may have begun it.
   *
   * Returns when it takes part, which may be long before it has work. Fails when it cannot take part at all.
   */
  readonly keep: <R>(work: StandingWork<R>) => Effect.Effect<void, StoreError, Exclude<R, Scope.Scope> | Scope.Scope>
}>()("@sov/core/ports/Placement") {}
