import { Effect } from "effect"
import { describeAlert } from "../../domain/alerts/describeAlert.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import {
  type Digest,
  type DigestComparison,
  type DigestFunnel,
  type DigestScore,
  type Moved,
  weekBefore
} from "../../domain/mail/digest.ts"
import { type HistoryWindow, historyWindowAt } from "../../domain/organizations/HistoryWindow.ts"
import { endsSoon, labelled, namePlatform } from "../../domain/platforms/Platform.ts"
import { isSameKind, type Scan } from "../../domain/scanning/Scan.ts"
import { formatAsked, isCompared, isNarrowed } from "../../domain/scoring/asked.ts"
import { describeAction } from "../../domain/sources/actions/describeAction.ts"
import { HealthStore } from "../../ports/HealthStore.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { PlatformLabels } from "../../ports/PlatformLabels.ts"
import { PublicUrl } from "../../ports/PublicUrl.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { listAlerts } from "../alerts/reads.ts"
import { NotFound } from "../errors.ts"
import { readComparison, type ScanComparison } from "../scoring/compareScans.ts"
import { readHeadlineHistory } from "../scoring/reads.ts"
import { readScoreReportOf, surfaceLineOf } from "../scoring/readScoreReport.ts"
import { readKeptActions } from "../sources/readActions.ts"
import { readWholeFunnel } from "../sources/readFunnel.ts"
import { readSources } from "../sources/readSources.ts"

/**
 * Maximum number of completed scans that are searched for those of a week and the last one before it; also the maximum
 * number of alerts counted.
 */
const [maxScans, maxAlerts] = [500, 100]
/** Maximum number of scored scans that began before the end of the week. Some of them may have completed after it. */
const maxBegun = 20

const listMoved = Effect.fnUntraced(
  function*({ competitors, keywordTexts, keywords, platforms, trackedSet }: ScanComparison) {
    const labels = yield* PlatformLabels
    const names = new Map(trackedSet.competitors.map(({ id, name }) => [id, name]))
    const moved: ReadonlyArray<Moved> = [
      ...platforms.filter((one) => one.beyondNoise).map((one) => ({
        kind: "platform" as const,
        name: namePlatform(labelled(one.id, labels)),
        before: one.before,
        after: one.after
      })),
      ...competitors.filter(({ trend }) => trend.beyondNoise).map(({ id, trend }) => ({
        kind: "competitor" as const,
        name: names.get(id) ?? id,
        before: trend.before,
        after: trend.after
      })),
      ...keywords.filter((one) => one.beyondNoise).map((one) => ({
        kind: "question" as const,
        name: keywordTexts.get(one.id) ?? one.id,
        before: one.before,
        after: one.after
      }))
    ]
    return moved
  }
)

/** The announced ends of the models that the scan asked, according to each platform's latest health. */
const listEnds = Effect.fnUntraced(function*({ platforms, simulated }: Scan, to: Date) {
  const labels = yield* PlatformLabels
  const healths = (yield* (yield* HealthStore).list).toSorted((a, b) => b.seenAt.getTime() - a.seenAt.getTime())
  return platforms.flatMap((id) => {
    const endsOn = healths.find((one) => one.platform === id && one.simulated === simulated)?.endsOn ?? null
    return endsOn === null || !endsSoon(endsOn, to) ? [] : [{ platform: namePlatform(labelled(id, labels)), endsOn }]
  })
})

/** How far own pages get in the answers of this scan and of comparable scans before it. */
const readFunnelOf = Effect.fnUntraced(
  function*(organizationId: OrganizationId, window: HistoryWindow, scan: Scan, to: Date) {
    const labels = yield* PlatformLabels
    const report = yield* readSources(organizationId, window, { scans: 4, period: { from: new Date(0), to } })
    const whole = report.scans[0].id === scan.id ? readWholeFunnel(report) : null
    const names = whole?.platforms.map((id) => namePlatform(labelled(id, labels)))
    const scans = report.scans.filter(({ id }) => whole?.scanIds.has(id))
    const found: DigestFunnel | null = whole === null
      ? null
      : { platforms: names!, startedAt: scans.map((one) => one.startedAt), answers: whole.answers, steps: whole.steps }
    return found
  },
  Effect.catchTag("NoCompletedScan", () => Effect.succeed(null))
)

/**
 * The content of the digest for the week before `to`, in the organization's time zone: the figures of the latest score,
 * and the comparison of its scan with the last scan of its kind that completed before the week. The comparison is that
 * of `sov scan compare`, over the answers that are measured.
 */
export const readDigest = Effect.fn("readDigest")(function*(organizationId: OrganizationId, to: Date) {
  const organization = yield* (yield* OrganizationStore).find(organizationId)
  if (organization === null) return yield* new NotFound({ what: "organization", id: organizationId })
  const from = weekBefore(to, organization.timeZone)
  const window = historyWindowAt(organization, to)
  const set = yield* (yield* TrackedSetStore).current(organizationId)
  const brand = set?.brand.name ?? organization.name
  // A late digest reports the state as of the end of its week
  const { scans: [begun, ...earlier] } = yield* readHeadlineHistory(organizationId, maxBegun, window.since, to)
  const latest = begun === undefined ?
    undefined :
    [begun, ...earlier].find(({ scan }) =>
      scan.completedAt !== null && scan.completedAt <= to && isNarrowed(scan) === isNarrowed(begun.scan)
    )
  const report = latest === undefined ? null : yield* readScoreReportOf(organizationId, window, latest, [], null)
  const completed =
    (yield* (yield* ScanStore).list(organizationId, { limit: maxScans, standard: true, status: "completed" }))
      .filter((scan): scan is Scan & { readonly completedAt: Date } =>
        scan.completedAt !== null && scan.completedAt <= to
      )
  const inWeek = completed.filter(({ completedAt }) => completedAt >= from)
  const before = completed.find((scan) =>
    report !== null && scan.completedAt < from && isSameKind(scan, report.scan) && isCompared(scan, report.scan)
  )
  const compare = Effect.gen(function*() {
    if (report === null || before === undefined || !inWeek.some(({ id }) => id === report.scan.id)) return null
    const { comparison } = yield* readComparison(organizationId, window, before.id, report.scan.id)
    const nothing: DigestComparison = { beforeStartedAt: before.startedAt, trend: null, breaks: [], moved: [] }
    if (comparison === null) return nothing
    const found: DigestComparison = {
      beforeStartedAt: before.startedAt,
      trend: comparison.trend,
      breaks: comparison.breaks,
      moved: yield* listMoved(comparison)
    }
    return found
  }).pipe(Effect.catchTags({
    NotFound: () => Effect.succeed(null),
    OutsideWindow: () => Effect.succeed(null),
    Rejected: () => Effect.succeed(null)
  }))
  const score: DigestScore | null = report === null ? null : {
    scanId: report.scan.id,
    completedAt: report.scan.completedAt ?? report.scan.startedAt,
    simulated: report.scan.simulated,
    surface: surfaceLineOf(report),
    sov: report.score.avgSov,
    interval: report.score.uncertainty?.interval ?? null,
    answers: report.score.resultsCount,
    mentioned: report.score.mentionedCount,
    asked: formatAsked(report.asked)
  }
  const kept = yield* readKeptActions(organizationId, window)
  const action = kept === null || kept.asOf > to.getTime() ? undefined : kept.actions[0]
  const funnel = report === null ? null : yield* readFunnelOf(organizationId, window, report.scan, to)
  const raised = yield* listAlerts(organizationId, { since: from }, { limit: maxAlerts })
  const publicUrl = yield* PublicUrl
  const digest: Digest = {
    organization: organization.name,
    brand,
    timeZone: organization.timeZone,
    from,
    to,
    scans: inWeek.length,
    score,
    comparison: yield* compare,
    ends: report === null ? [] : yield* listEnds(report.scan, to),
    funnel,
    next: action === undefined ? null : describeAction(action, kept!),
    alerts: raised.filter(({ alert }) => alert.createdAt <= to).map(({ alert }) =>
      describeAlert(alert, { brand, keywords: new Map(), comparedWith: null }).subject
    ),
    url: publicUrl === null ? null : `${publicUrl}/o/${organization.slug}`
  }
  return digest
})
