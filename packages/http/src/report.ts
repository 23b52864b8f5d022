/**
 * @sov/http/report: a report as one file of HTML, and the check of such a file. Nothing here asks a database or the
 * network.
 */
export { type CheckedReport, checkReportFile } from "./dashboard/report/checkReportFile.ts"
export { isLocale } from "./dashboard/report/isLocale.ts"
export { knownStyles } from "./dashboard/report/knownStyles.ts"
export { type Logo, maxLogoBytes, readLogo } from "./dashboard/report/logo.ts"
export { describePage, makeReportFile } from "./dashboard/report/makeReportFile.ts"
export { type ReportProblem } from "./dashboard/report/ReportProblem.ts"
