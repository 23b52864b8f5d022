/** Front door of the threads room: reading answers beside what else a process does. */
export { type AnalysisPoolOptions, layerAnalysisPool } from "./layerAnalysisPool.ts"
