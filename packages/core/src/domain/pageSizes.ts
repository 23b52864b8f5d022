/** Maximum number of rows on one page of each list. */

/** Scans per page of `GET /api/v1/scans` and of `sov scan list`. */
export const maxScansPage = 50
/** Rows per page of `GET /api/v1/archive`, of tool calls and of `sov archive list`. */
export const maxRowsPage = 100
/** Entries per page of the logs that the command prints. */
export const maxLogPage = 1000
