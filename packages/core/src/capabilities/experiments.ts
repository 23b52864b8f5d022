/** Registered experiments: their sealed plans with draw and power, their progress and their results. */

export * from "../domain/experiments/describeExperiment.ts"
export * from "../domain/experiments/draw.ts"
export * from "../domain/experiments/effect.ts"
export type * from "../domain/experiments/Experiment.ts"
export { maxPlanText, type Plan as ExperimentPlan, planTimes } from "../domain/experiments/Plan.ts"
export * from "../domain/experiments/power.ts"

export * from "../json/experiments.ts"

export * from "../ports/ExperimentEnds.ts"

export { announceExperiments, experimentKind } from "../usecases/experiments/experimentKind.ts"
export { listExperiments, readExperiment } from "../usecases/experiments/readExperiments.ts"
export {
  type ExperimentOptions,
  type ExperimentPreview,
  maxScansAfter,
  previewExperiment,
  startExperiment
} from "../usecases/experiments/startExperiment.ts"
export * from "../usecases/experiments/stopExperiment.ts"
