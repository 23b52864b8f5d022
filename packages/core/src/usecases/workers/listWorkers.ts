import { Effect } from "effect"
import { heartbeatTimeoutMs } from "../../domain/workers/Worker.ts"
import { WorkerRegistry } from "../../ports/WorkerRegistry.ts"

/** The live workers, oldest first: those whose last heartbeat is at most `heartbeatTimeoutMs` old. */
export const listWorkers = Effect.fn("listWorkers")(function*() {
  return yield* (yield* WorkerRegistry).list(heartbeatTimeoutMs)
})
