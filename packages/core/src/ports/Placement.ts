/** Placement decides which of the processes that share a database runs each background task. */
import { Context, type Effect, type Scope } from "effect"
import type { StoreError } from "./StoreError.ts"

/** Background tasks by name. Every process has the same names, and does the same under each. */
export type BackgroundTasks<R> = { readonly [name: string]: Effect.Effect<void, never, R> }

export class Placement extends Context.Service<Placement, {
  /**
   * Whether a task never runs in two processes, not even for a moment. Where it is false, a process that lost its lock
   * without knowing may still be ending its task: the process that begins it has to guard against that.
   */
  readonly exclusive: boolean
  /**
   * Takes part until the scope closes: each task runs in exactly one of the processes that take part. When it has to
   * move or the scope closes it is interrupted here and awaited, however long that takes, before another process begins
   * it; all tasks of one call are interrupted at once. A task that ends or dies while it is placed here is restarted a
   * second later, in a new scope. All processes take part with the same names: a task that the chosen process does not
   * know does not run. A process that lost its lock without knowing (frozen, cut off from the database) interrupts the
   * task when it notices: until it has ended, another may have begun it.
   *
   * Returns when it takes part, which may be long before a task runs here. Fails when it cannot take part at all.
   */
  readonly run: <R>(tasks: BackgroundTasks<R>) => Effect.Effect<void, StoreError, Exclude<R, Scope.Scope> | Scope.Scope>
}>()("@sov/core/ports/Placement") {}
