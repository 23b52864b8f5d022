/**
 * @sov/http/report: creates a report as one HTML file, and checks such files. Uses neither a database nor the network.
 */
export { isLocale } from "@sov/core/common"
export { type Logo, maxLogoBytes, readLogo } from "@sov/core/reports"
export { type CheckedReport, checkReportFile } from "./dashboard/report/checkReportFile.ts"
export { knownStyles } from "./dashboard/report/knownStyles.ts"
export { describePage, makeReportFile } from "./dashboard/report/makeReportFile.ts"
export { type ReportProblem } from "./dashboard/report/ReportProblem.ts"
