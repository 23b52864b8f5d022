/** The weekly digest as clients see it. */
import { type Digest, factsOf, leadOf } from "../domain/mail/digest.ts"
import { otherQuestions } from "../domain/scoring/estimand.ts"

/** The content of a digest; shares of voice are 0–100, unrounded. */
export const digestJson = (digest: Digest) => {
  const { comparison, from, scans, score, to } = digest
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    lead: leadOf(digest),
    scans,
    ends: digest.ends.map(({ endsOn, platform }) => ({ platform, ends_on: endsOn })),
    alerts: digest.alerts,
    scan_id: score?.scanId ?? null,
    simulated: score?.simulated ?? false,
    surface_line: score?.surface ?? null,
    sov: score?.sov ?? null,
    interval_95: score?.interval ?? null,
    interval_about: otherQuestions,
    change: comparison?.trend == null ? null : {
      before: comparison.trend.before,
      after: comparison.trend.after,
      delta: comparison.trend.delta,
      n_cells: comparison.trend.nCells,
      direction: comparison.trend.direction
    },
    breaks: comparison?.breaks ?? [],
    moved: comparison?.moved ?? [],
    facts: factsOf(digest).map(([name, value]) => ({ name, value }))
  }
}
