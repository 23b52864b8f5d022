/** The scores of the last scans for a spreadsheet: one row per scan, platform and name. */
import { csvLine } from "@sov/core/common"
import { formatNarrowing, roundHalfUp, roundOrNull, type ScanShare, viewJson } from "@sov/core/scoring"

const columns: { readonly [Column: string]: (row: ScanShare) => unknown } = {
  scan_id: ({ scan }) => scan.id,
  started_at: ({ scan }) => scan.startedAt.toISOString(),
  completed_at: ({ scan }) => scan.completedAt?.toISOString() ?? null,
  platform: ({ platform }) => platform ?? "all",
  entity: ({ who }) => who,
  entity_id: ({ id }) => id,
  name: ({ name }) => name,
  sov: ({ sov }) => roundHalfUp(sov, 1),
  low: ({ interval }) => roundOrNull(interval?.low, 1),
  high: ({ interval }) => roundOrNull(interval?.high, 1),
  results_count: ({ answers }) => answers,
  measure_version: ({ measureVersion }) => measureVersion,
  tracked_set_version: ({ trackedSetVersion }) => trackedSetVersion,
  simulated: ({ scan }) => scan.simulated,
  asked: ({ scan }) => formatNarrowing(scan),
  surface: ({ scan }) => viewJson(scan).surface,
  view: ({ scan }) => viewJson(scan).view
}

/** The CSV with its header line, in the order of the shares. */
export const scoreCsv = (shares: ReadonlyArray<ScanShare>): string =>
  csvLine(Object.keys(columns)) +
  shares.map((share) => csvLine(Object.values(columns).map((cell) => cell(share)))).join("")
