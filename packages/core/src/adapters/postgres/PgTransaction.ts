import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { Transaction } from "../../ports/Transaction.ts"
import { withStoreErrors } from "./sqlErrors.ts"
import { beginElsewhere } from "./tryElsewhere.ts"

/**
 * Transactions of the pool. A connection that is lost meanwhile is a retryable StoreError (`unavailable`), never a
 * defect.
 */
export const PgTransaction = Layer.effect(
  Transaction,
  Effect.map(PgClient.PgClient, (sql) =>
    Transaction.of({
      run: (effect) => beginElsewhere(sql)(effect).pipe(withStoreErrors("transaction"))
    }))
)
