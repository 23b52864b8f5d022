/** Transaction joins the work of several stores into one all-or-nothing unit; nested units become savepoints. */
import { Context, type Effect } from "effect"
import type { StoreError } from "./StoreError.ts"

export class Transaction extends Context.Service<Transaction, {
  /** Runs `effect` in a transaction: commits on success, rolls back on failure, defect or interruption. */
  readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StoreError, R>
}>()("@sov/core/ports/Transaction") {}
