/** Placement decides which of the processes that share a database runs each background task. */
import { Context, type Effect, type Scope } from "effect"
import type { StoreError } from "./StoreError.ts"

/** Background tasks by name. Every process passes the same names, with the same task for each. */
export type BackgroundTasks<R> = { readonly [name: string]: Effect.Effect<void, never, R> }

export class Placement extends Context.Service<Placement, {
  /**
   * Whether a task never runs in two processes, not even briefly. If false, a process that lost its lock without
   * noticing may still be ending its task, so the process that starts the task next must guard against that.
   */
  readonly exclusive: boolean
  /**
   * Takes part in running the tasks until the scope closes: each task runs in exactly one of the participating
   * processes. When a task must move or the scope closes, the task is interrupted here and awaited, however long that
   * takes, before another process starts it; all tasks of one call are interrupted at once. A task that ends or dies
   * while it is placed here is restarted a second later, in a new scope. All processes must pass the same names: a task
   * that the chosen process does not know does not run. A process that lost its lock without noticing (frozen, cut off
   * from the database) interrupts the task when it notices; until then another process may have started it.
   *
   * Returns once the process takes part, which may be long before a task runs here. Fails if the process cannot take
   * part at all.
   */
  readonly run: <R>(tasks: BackgroundTasks<R>) => Effect.Effect<void, StoreError, Exclude<R, Scope.Scope> | Scope.Scope>
}>()("@sov/core/ports/Placement") {}
