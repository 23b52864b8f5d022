/** Workers, their tasks, and notifications between processes. */

export * from "../domain/workers/NewWork.ts"
export {
  defaultRetention,
  maxRetention,
  /** The earlier name. */
  maxRetention as mostRetention,
  minRetention,
  /** The earlier name. */
  minRetention as leastRetention,
  type RetainedKind,
  retainedKinds,
  type Retention
} from "../domain/workers/retention.ts"
export { stopGraceMs } from "../domain/workers/stopGrace.ts"
export * from "../domain/workers/Worker.ts"

export * from "../ports/Notifications.ts"
export * from "../ports/Placement.ts"
export * from "../ports/ThisProcess.ts"
export * from "../ports/UpkeepStore.ts"
export * from "../ports/WorkerRegistry.ts"

export * from "../usecases/workers/listWorkers.ts"
export { makeErrandKind, runErrands } from "../usecases/workers/makeErrandKind.ts"
export { makeFairScheduler } from "../usecases/workers/makeFairScheduler.ts"
export { makePollLoop, type PollLoop } from "../usecases/workers/pollLoop.ts"
export { ReadPlan } from "../usecases/workers/ReadPlan.ts"
export * from "../usecases/workers/readSystemStatus.ts"
export * from "../usecases/workers/registerWorker.ts"
export {
  type Engine as WorkEngine,
  type Kind as WorkKind,
  type Queue as WorkQueue,
  runKind,
  type Slot as WorkSlot
} from "../usecases/workers/runKind.ts"
export * from "../usecases/workers/startWorker.ts"
export { makeUpkeepKind, pruneAll, type Pruned } from "../usecases/workers/upkeepKind.ts"
