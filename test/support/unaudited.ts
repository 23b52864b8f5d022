import { AuditLog, OperatorStore } from "@sov/core"
import { Effect, Layer } from "effect"

/** An audit log that forgets, for tests whose stores are scripted. */
export const unaudited = Layer.mergeAll(
  Layer.mock(AuditLog, { record: () => Effect.void }),
  Layer.mock(OperatorStore, { record: () => Effect.void })
)
