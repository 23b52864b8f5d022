/** Scans as clients see them. */
import type { Scan } from "../domain/scanning/Scan.ts"
import { roundHalfUp } from "../domain/scoring/Score.ts"
import { label } from "./label.ts"

/** A scan without its score. */
export const scanJson = (scan: Scan) => ({
  id: scan.id,
  status: scan.status,
  scan_type: scan.scanType,
  started_at: scan.startedAt.toISOString(),
  completed_at: scan.completedAt?.toISOString() ?? null,
  ...label(scan.simulated)
})

/** A scan as lists show it: with its share of voice, a whole number; null without a score. */
export const listedScanJson = ({ avgSov, scan }: { readonly scan: Scan; readonly avgSov: number | null }) => ({
  ...scanJson(scan),
  avg_sov: avgSov === null ? null : roundHalfUp(avgSov, 0)
})

/** The response to the start of a scan: it runs now. */
export const startedScanJson = (
  scan: Pick<Scan, "id" | "simulated"> & { readonly estimatedSeconds: number }
) => ({
  scan_id: scan.id,
  status: "running" as const,
  estimated_seconds: scan.estimatedSeconds,
  ...label(scan.simulated)
})
