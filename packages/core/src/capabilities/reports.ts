/** Reports, and the check of their evidence. */

export * from "../domain/reports/Branding.ts"
export * from "../domain/reports/evidenceClasses.ts"
export * from "../domain/reports/Logo.ts"
export * from "../domain/reports/ReportEvidence.ts"

export * from "../ports/BrandingStore.ts"

export * from "../usecases/reports/branding.ts"
export * from "../usecases/reports/checkReport.ts"
export { findShownMentions } from "../usecases/reports/findShownMentions.ts"
export type { ReportedExperiment } from "../usecases/reports/formExperiments.ts"
export type { ReportedNext } from "../usecases/reports/formNext.ts"
export * from "../usecases/reports/formReport.ts"
export { listNotProven, listSealedNames } from "../usecases/reports/listNotProven.ts"
export * from "../usecases/reports/readReport.ts"
