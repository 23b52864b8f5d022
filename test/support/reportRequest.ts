import type { ReportRequest } from "@sov/core"
import { describePage } from "@sov/http/report"

/** A request for a report of all scans, without answer texts, and with the default title and formats. */
export const reportRequest: ReportRequest = {
  from: null,
  to: null,
  answers: false,
  title: null,
  locale: null,
  logo: null,
  labels: new Map(),
  configured: null,
  page: describePage()
}
