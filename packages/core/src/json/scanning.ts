/** Scans as clients see them. */
import type { Scan } from "../domain/scanning/Scan.ts"
import { type Asked, findNarrowing } from "../domain/scoring/asked.ts"
import { roundOrNull, type Score } from "../domain/scoring/Score.ts"
import { standardView } from "../domain/tracking/ViewInput.ts"
import { askedJson, askedShareJson, viewJson } from "./scoring.ts"
import { simulatedJson } from "./simulated.ts"

/**
 * How much of the keywords and platforms that existed at its start a narrowed scan asked; empty for a scan that asked
 * everything.
 */
export const narrowingJson = (scan: Scan) => {
  const asked = findNarrowing(scan)
  return asked === null ? {} : { asked: askedJson(asked) }
}

/** A scan without its score. */
export const scanJson = (scan: Scan) => ({
  id: scan.id,
  status: scan.status,
  scan_type: scan.scanType,
  started_at: scan.startedAt.toISOString(),
  completed_at: scan.completedAt?.toISOString() ?? null,
  ...viewJson(scan),
  ...simulatedJson(scan.simulated)
})

/**
 * A scan as lists show it, with its share of voice (a whole number, null without a score) and the figures that the
 * share is based on.
 */
export const listedScanJson = (
  { asked, avgSov, scan, score }: {
    readonly scan: Scan
    readonly avgSov: number | null
    readonly score: Score | null
    readonly asked: Asked
  }
) => ({
  ...scanJson(scan),
  avg_sov: roundOrNull(avgSov, 0),
  ...askedShareJson(asked, score)
})

/** The response to the start of a scan, which is now running. */
export const startedScanJson = (
  scan: Pick<Scan, "id" | "simulated"> & { readonly estimatedSeconds: number },
  others: ReadonlyArray<Pick<Scan, "id" | "view">> = []
) => ({
  scan_id: scan.id,
  status: "running" as const,
  estimated_seconds: scan.estimatedSeconds,
  ...others.length === 0 ? {} : {
    views: others.map(({ id, view }) => ({ view: view?.name ?? standardView, scan_id: id }))
  },
  ...simulatedJson(scan.simulated)
})
