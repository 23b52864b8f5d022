/** Public interface of this folder: measuring answers in parallel with the other work of a process. */
export { type AnalysisPoolOptions, layerAnalysisPool } from "./layerAnalysisPool.ts"
