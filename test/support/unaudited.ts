import { AuditLog, OperatorStore } from "@sov/core"
import { Effect, Layer } from "effect"

/** An audit log that discards its entries, for tests with scripted stores. */
export const unaudited = Layer.mergeAll(
  Layer.mock(AuditLog, { record: () => Effect.void }),
  Layer.mock(OperatorStore, { record: () => Effect.void })
)
