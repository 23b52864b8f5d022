/** Scans as clients see them. */
import type { Scan } from "../domain/scanning/Scan.ts"
import { label } from "./label.ts"

/** A scan as lists show it, without its score. */
export const scanJson = (scan: Scan) => ({
  id: scan.id,
  status: scan.status,
  scan_type: scan.scanType,
  started_at: scan.startedAt.toISOString(),
  completed_at: scan.completedAt?.toISOString() ?? null,
  ...label(scan.simulated)
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
