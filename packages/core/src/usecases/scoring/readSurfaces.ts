import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { measureVersion } from "../../domain/measuring/measureAnswer.ts"
import { type HistoryWindow, wholeHistory } from "../../domain/organizations/HistoryWindow.ts"
import { describeSurface } from "../../domain/platforms/surface.ts"
import { compareSurfaces } from "../../domain/scoring/compareSurfaces.ts"
import { capturedView } from "../../domain/tracking/ViewInput.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { NoCompletedScan, NotFound, Rejected } from "../errors.ts"
import { measureScan } from "../measuring/measureScan.ts"
import { now } from "../now.ts"
import { readRows } from "./readHeadlines.ts"
import { readCurrentScore } from "./reads.ts"

/**
 * Compares the answers that people captured in apps with those of the headline scan, question by question, measured
 * with that scan's names and rules, without questions that name the brand. It never corrects a share. Measures captured
 * answers that lack such a measurement. Reads the newest `maxImports` imports by their first capture. Fails with
 * NoCompletedScan if no scan has completed, with NotFound if no answer was captured, and with Rejected for a simulated
 * scan, for a scan of apps, and for a scan that was measured with earlier rules.
 */
export const readSurfaces = Effect.fn("readSurfaces")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow = wholeHistory,
  maxImports = 100
) {
  const scores = yield* ScoreStore
  const { scan: api, score } = yield* readCurrentScore(organizationId)
  if (window.since !== null && api.startedAt < window.since) return yield* new NoCompletedScan()
  const all = (yield* scores.history(organizationId, maxImports + 1, window.since, null, capturedView.name))
    .map(({ scan }) => scan)
  const captured = all.slice(0, maxImports)
  const [newest] = captured
  if (newest === undefined) return yield* new NotFound({ what: "view", id: JSON.stringify(capturedView.name) })
  if (api.simulated || api.surface === "app") {
    return yield* new Rejected({
      field: "scan",
      message: `${describeSurface(api)} and ${
        describeSurface(newest)
      } are not compared: scan the APIs of real platforms first`
    })
  }
  const versions = { measureVersion: score.measureVersion, trackedSetVersion: score.trackedSetVersion }
  const set = (yield* (yield* TrackedSetStore).find(organizationId, versions.trackedSetVersion))!
  for (const scan of captured) {
    if ((yield* scores.ofScan(organizationId, scan.id, versions)) !== null) continue
    if (versions.measureVersion !== measureVersion) {
      return yield* new Rejected({
        field: "scan",
        message: "the newest scan was measured with earlier rules: sov rescore measures all alike"
      })
    }
    yield* measureScan(organizationId, scan, set, yield* now)
  }
  const ids = [api, ...captured].map(({ id }) => id)
  const { branded, keywords, rows, topics } = yield* readRows(organizationId, ids, versions)
  const counted = rows.filter(({ keywordId }) => !branded.has(keywordId))
  const compared = compareSurfaces(
    counted.filter(({ scanId }) => scanId !== api.id),
    counted.filter(({ scanId }) => scanId === api.id),
    topics
  )
  return {
    ...compared,
    api,
    captured,
    /** Whether there are older imports, which are left out */
    hasOlder: all.length > captured.length,
    /** When the first of the answers was captured, and when the last one was archived */
    from: captured.reduce((first, { startedAt }) => startedAt < first ? startedAt : first, newest.startedAt),
    to: captured.reduce((last, { completedAt }) => completedAt! > last ? completedAt! : last, newest.completedAt!),
    keywordTexts: new Map(keywords.map(({ id, text }) => [id, text]))
  }
})

/** Captured answers compared with API answers. */
export type Surfaces = Effect.Success<ReturnType<typeof readSurfaces>>
