import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { Transaction } from "../../ports/Transaction.ts"
import { withStoreErrors } from "./sqlErrors.ts"
import { beginWithFallback } from "./tryElsewhere.ts"

/**
 * Runs transactions on the pool. If the connection is lost during a transaction, it fails with a retryable StoreError
 * (`unavailable`), never with a defect.
 */
export const PgTransaction = Layer.effect(
  Transaction,
  Effect.map(PgClient.PgClient, (sql) =>
    Transaction.of({
      run: (effect) => beginWithFallback(sql)(effect).pipe(withStoreErrors("transaction"))
    }))
)
