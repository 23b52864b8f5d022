/** Reads the figures of a report and the evidence behind them. */
import { Effect } from "effect"
import type { ArchiveRow } from "../../domain/archive/ArchiveRow.ts"
import { sealToJson, toSealedFields } from "../../domain/archive/Proof.ts"
import { type Seal, toSealHeader } from "../../domain/archive/Seal.ts"
import { defaultPlace } from "../../domain/formats.ts"
import type { AnswerId, KeywordId, OrganizationId } from "../../domain/ids.ts"
import { brandedAmong } from "../../domain/measuring/measureAnswer.ts"
import { type HistoryWindow, laterBegin } from "../../domain/organizations/HistoryWindow.ts"
import type { Organization } from "../../domain/organizations/Organization.ts"
import type { PlatformId } from "../../domain/platforms/Platform.ts"
import type { SentMarket } from "../../domain/platforms/surface.ts"
import type { Logo } from "../../domain/reports/Logo.ts"
import {
  type EvidenceAnswer,
  type EvidenceScan,
  type EvidenceSite,
  type ReportEvidence,
  reportFormat
} from "../../domain/reports/ReportEvidence.ts"
import { isSameKind, type Scan } from "../../domain/scanning/Scan.ts"
import { type ConfiguredPlatform, isCompared } from "../../domain/scoring/asked.ts"
import { countKinds } from "../../domain/scoring/evidenceGrade.ts"
import { maxDetailScans } from "../../domain/scoring/scoreDetail.ts"
import { keywordStatuses } from "../../domain/tracking/Keyword.ts"
import { AnnotationStore } from "../../ports/AnnotationStore.ts"
import { BrandingStore } from "../../ports/BrandingStore.ts"
import { CellStore } from "../../ports/CellStore.ts"
import { IcuVersion } from "../../ports/IcuVersion.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { type ScoredScan, ScoreStore } from "../../ports/ScoreStore.ts"
import { SealStore } from "../../ports/SealStore.ts"
import { SourceStore } from "../../ports/SourceStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { Rejected } from "../errors.ts"
import { now } from "../now.ts"
import { findDropThreshold } from "../scoring/planPanel.ts"
import { hasSameVersions } from "../scoring/readHeadlines.ts"
import { readTagGroups } from "../scoring/readRecentAnswers.ts"
import { readHeadlineHistory } from "../scoring/reads.ts"
import { readScoreReport, readScoreReportOf } from "../scoring/readScoreReport.ts"
import { readSourcesOf } from "../sources/readSources.ts"
import { formReport, isTagged, type ReportFigures } from "./formReport.ts"
import { readChain } from "./readChain.ts"
import { citationsOf, findKeywordsOfTag, makeIndex, readStatedNext, readTexts } from "./reportParts.ts"

/** Options of a report. */
export interface ReportRequest {
  /** Bounds on the start of the report's scans, inclusive; null: no bound. */
  readonly from: Date | null
  readonly to: Date | null
  /** The figures count only answers to keywords that have this tag now; left out: all answers. */
  readonly tag?: string | undefined
  /** The view of the report's scans; null or left out for the standard view. */
  readonly view?: string | null
  /** Whether the report includes the texts of the answers. */
  readonly answers: boolean
  /** Maximum number of UTF-16 units of all texts together; left out: no limit. */
  readonly maxText?: number
  /** The title; null uses that of the branding, or the brand's name. */
  readonly title: string | null
  /** BCP 47; null uses that of the branding, or the dashboard's format of numbers and dates. */
  readonly locale: string | null
  /** Null = that of the branding, if any. */
  readonly logo: Logo | null
  readonly labels: ReadonlyMap<PlatformId, string>
  /** The platforms that a scan would ask now; null if unknown. */
  readonly configured: ReadonlyArray<ConfiguredPlatform> | null
  /** Version of the page, and the SHA-256 of its style (hex). */
  readonly page: { readonly version: number; readonly style: string }
}

/** The evidence, and the figures that every page, command and client shows. */
export interface ReadReport {
  readonly evidence: ReportEvidence
  /** The picture that the header of the evidence names. */
  readonly logo: Logo | null
  readonly figures: ReportFigures
}

/**
 * Maximum number of scored scans in a report of a period. A report without a period contains the scans that the newest
 * scan is compared with.
 */
export const maxReportScans = 30

/**
 * The newest scored scan of the period and the scans of the same kind before it, each with the score of its versions,
 * if it has one.
 */
const listScored = Effect.fnUntraced(
  function*(
    organizationId: OrganizationId,
    window: HistoryWindow,
    { configured, from, to, view = null }: ReportRequest
  ) {
    const scores = yield* ScoreStore
    const { scans: [latest, ...rest] } = yield* readHeadlineHistory(
      organizationId,
      3 * maxReportScans,
      window.since,
      to,
      view
    )
    if (latest === undefined) {
      if (from !== null || to !== null) {
        return yield* new Rejected({ field: "--from", message: "no scan with a score began in this period" })
      }
      // Reads the score to get the error that states the reason
      yield* readScoreReport(organizationId, window, 1, configured, view)
      return yield* new Rejected({ field: "--from", message: "no scan has a score" })
    }
    const alike = rest.filter(({ scan }) => isSameKind(scan, latest.scan))
    const kept = alike.slice(0, maxReportScans - 1).filter((_, i, all) =>
      from !== null || all.slice(0, i).filter(({ scan }) => isCompared(scan, latest.scan)).length < maxDetailScans - 1
    )
    const earlier = yield* Effect.forEach(
      kept,
      (one): Effect.Effect<ScoredScan, Effect.Error<ReturnType<typeof scores.ofScan>>> =>
        hasSameVersions(one.score, latest.score) ? Effect.succeed(one) : Effect.map(
          scores.ofScan(organizationId, one.scan.id, latest.score),
          (score) => score === null ? one : { scan: one.scan, score }
        )
    )
    return { latest, earlier }
  }
)

/** The scans of the trend, newest first: scored scans, and between them scans without a score. */
const listCourse = Effect.fnUntraced(
  function*(organizationId: OrganizationId, window: HistoryWindow, scored: ReadonlyArray<ScoredScan>) {
    const [latest] = scored.map(({ scan }) => scan)
    const oldest = scored.at(-1)!.scan.startedAt
    const between = yield* (yield* ScanStore).list(organizationId, {
      limit: 2 * maxReportScans,
      simulated: latest!.simulated,
      series: latest!,
      before: latest!,
      since: window.since
    })
    const known = new Set(scored.map(({ scan }) => scan.id))
    const others = between.filter(({ id, startedAt, status }) =>
      !known.has(id) && status !== "running" && startedAt >= oldest
    )
    return [...scored.map(({ scan }) => scan), ...others].toSorted((a, b) =>
      b.startedAt.getTime() - a.startedAt.getTime() || (a.id < b.id ? 1 : -1)
    )
  }
)

/**
 * Reads a report of the newest scored scan of the period with the scans that it is compared with. Fails as
 * `readScoreReport`; with Rejected if the period has no scored scan, its newest scan has no answer to the tag, one of
 * its scans has no seal, or the texts are longer than `maxText`; and with NotFound if no keyword has the tag.
 */
export const readReport = Effect.fn("readReport")(function*(
  organization: Pick<Organization, "id" | "name"> & Partial<Pick<Organization, "timeZone">>,
  window: HistoryWindow,
  request: ReportRequest
) {
  const { id, timeZone = defaultPlace.timeZone } = organization
  const shown: HistoryWindow = { since: laterBegin(window, request.from) }
  const { earlier, latest } = yield* listScored(id, shown, request)
  const scored = [latest, ...earlier]
  const course = yield* listCourse(id, shown, scored)
  const report = yield* readScoreReportOf(id, shown, latest, earlier, request.configured)
  const tracked = yield* (yield* KeywordStore).list(id, keywordStatuses)
  const tagged = request.tag === undefined
    ? null
    : yield* findKeywordsOfTag(id, request.tag, report.trackedSet, tracked)
  const sources = yield* readSourcesOf(
    id,
    { scans: [latest.scan], versions: latest.score },
    tagged === null ? {} : { keywordIds: tagged }
  )
  const setStore = yield* TrackedSetStore
  const owners = (yield* setStore.current(id)) ?? report.trackedSet
  const versions = new Set([...scored.map(({ score }) => score.trackedSetVersion), owners.version])
  const sets = yield* Effect.forEach(
    [...versions].toSorted((a, b) => a - b),
    (version) => Effect.map(setStore.find(id, version), (set) => set!)
  )
  const setOf = new Map(sets.map((set) => [set.version, set]))

  const all = new Map(tracked.map((one) => [one.id, one.text]))
  const keywords = makeIndex<KeywordId, { readonly id: KeywordId; readonly text: string }>((one) => one.id)
  const keywordAt = (keywordId: KeywordId) => keywords.find({ id: keywordId, text: all.get(keywordId) ?? "" })
  const sites = makeIndex<string, EvidenceSite>(({ domain, owner }) => `${domain} ${owner}`)
  const cites = citationsOf(sources, sites)

  const seals = new Map<number, { readonly seal: Seal; readonly answers: ReadonlyArray<EvidenceAnswer> }>()
  const scans: Array<EvidenceScan> = []
  const cells = yield* CellStore
  let mayHave = request.maxText ?? Infinity
  for (const scan of course) {
    const found = scored.find((one) => one.scan.id === scan.id)
    if (found === undefined) {
      scans.push({ ...withoutQuota(scan), measured: null })
      continue
    }
    const { score } = found
    const set = setOf.get(score.trackedSetVersion)!
    const competitors = new Map(set.competitors.map((one, i) => [one.id, i]))
    const rows = new Map(
      (yield* (yield* SourceStore).ofScans(id, [scan.id], score)).map((row) => [row.answerId, row])
    )
    const own = yield* (yield* SealStore).ofScan(id, scan.id)
    // The keyword of an unmeasured answer is read with its text
    const needsTexts = request.answers ||
      (tagged !== null && own.some(({ leaves }) => leaves.some((one) => !rows.has(one.id))))
    const { found: texts, length } = needsTexts
      ? yield* readTexts(id, scan.id, mayHave)
      : { found: new Map<AnswerId, ArchiveRow>(), length: 0 }
    mayHave -= length
    if (own.length === 0) {
      return yield* new Rejected({
        field: "scan",
        message: `no seal holds scan ${scan.id}: sov archive verify says more`
      })
    }
    const withoutOverview = scan.id !== latest.scan.id ?
      [] :
      report.counts.flatMap(({ noOverview, platform }) => noOverview > 0 ? [[platform, noOverview] as const] : [])
    const asked = [...yield* cells.keywordIds(id, scan.id)].filter((one) => all.has(one)).toSorted()
    scans.push({
      ...withoutQuota(scan),
      measured: {
        measure_version: score.measureVersion,
        tracked_set_version: score.trackedSetVersion,
        icu: score.icuVersion,
        asked: asked.map(keywordAt),
        failed: scan.id !== latest.scan.id ? {} : Object.fromEntries(
          report.counts.filter(({ failed }) => failed > 0).map(({ failed, platform }) => [platform, failed])
        ),
        ...withoutOverview.length === 0 ? {} : { no_overview: Object.fromEntries(withoutOverview) }
      }
    })
    for (const seal of own) {
      seals.set(seal.sequence, {
        seal,
        answers: seal.leaves.map(({ hash, id: answerId }): EvidenceAnswer => {
          const row = rows.get(answerId)
          const text = texts.get(answerId)
          const asked = row ?? text
          const cited = cites.get(answerId)
          return {
            id: answerId,
            leaf: Buffer.from(hash).toString("hex"),
            ...asked === undefined ? {} : { platform: asked.platform, keyword: keywordAt(asked.keywordId) },
            ...row === undefined ? {} : {
              brand: row.brandMentioned,
              ...row.origin?.model == null ? {} : { model: row.origin.model },
              ...row.search === null ? {} : { search: row.search },
              ...row.origin?.sent == null ? {} : { market: JSON.parse(row.origin.sent) as SentMarket | null },
              ...row.competitorsMentioned.length === 0
                ? {}
                : { competitors: row.competitorsMentioned.map((one) => competitors.get(one)!) }
            },
            ...cited === undefined ? {} : { cites: cited },
            ...text === undefined || !request.answers ? {} : { sealed: toSealedFields(text) }
          }
        })
      })
    }
  }
  const branded = brandedAmong(report.trackedSet, keywords.values)
  const kinds = countKinds(
    (yield* readTagGroups(id)).map((one) => one.keywords),
    report.movements.keywordShares.map((one) => ({ keywordId: one.id }))
      .filter(({ keywordId }) => tagged === null || tagged.has(keywordId)),
    branded
  )
  // Alerts watch the newest scan of the standard view
  const isWatched = request.to === null && tagged === null && latest.scan.view === undefined
  const threshold = isWatched ? yield* findDropThreshold(id) : null
  const annotations = (yield* (yield* AnnotationStore).list(id))
    .filter(({ day }) => request.to === null || Date.parse(day) < request.to.getTime())
    .map(({ day, text }) => ({ day, text }))
  const chain = yield* readChain(id, Math.min(...seals.keys()), Math.max(...seals.keys()))
  const { locale, logo: ownLogo, title, ...look } = yield* (yield* BrandingStore).find(id)
  const logo = request.logo ?? ownLogo
  const unmarked: ReportEvidence = {
    header: {
      format: reportFormat,
      page: request.page.version,
      style: request.page.style,
      made_at: yield* now,
      icu: yield* IcuVersion,
      organization_id: id,
      organization: organization.name,
      title: request.title ?? title,
      locale: request.locale ?? locale,
      ...timeZone === defaultPlace.timeZone ? {} : { time_zone: timeZone },
      from: request.from,
      to: request.to,
      logo: logo === null ? null : { type: logo.type, sha256: logo.sha256 },
      ...Object.values(look).every((one) => one === null) ? {} : { branding: look },
      answers: request.answers,
      asked: report.asked,
      ...request.tag === undefined ? {} : { tag: request.tag },
      ...threshold === null ? {} : { threshold },
      ...annotations.length === 0 ? {} : { annotations },
      kinds,
      labels: latest.scan.platforms.flatMap((one) => {
        const label = request.labels.get(one)
        return label === undefined ? [] : [[one, label] as const]
      }),
      owners: owners.version
    },
    sets,
    keywords: keywords.values.map((one) => ({
      ...one,
      ...branded.has(one.id) ? { branded: true as const } : {},
      ...tagged?.has(one.id) === true ? { tagged: true as const } : {}
    })),
    scans,
    sites: sites.values,
    seals: chain.map((header) => {
      const found = seals.get(header.sequence)
      return found === undefined
        ? { header: sealToJson(header), answers: null }
        : { header: sealToJson(toSealHeader(found.seal)), answers: found.answers }
    })
  }
  const next = tagged === null ? yield* readStatedNext(id, window, unmarked) : null
  const evidence = next === null ? unmarked : { ...unmarked, header: { ...unmarked.header, next } }
  if (tagged !== null) {
    const answers = evidence.seals.flatMap((seal) => seal.header.scan_id === latest.scan.id ? seal.answers ?? [] : [])
    if (!answers.some((answer) => answer.brand !== undefined && isTagged(evidence, answer))) {
      const message = `no answer of the newest scan is to a keyword with the tag ${JSON.stringify(request.tag)}`
      return yield* new Rejected({ field: "--tag", message })
    }
  }
  // As a checker of the report computes them: what is read while a scan is measured again cannot differ from its proof
  return { evidence, logo, figures: formReport(evidence) } satisfies ReadReport
})

/** Removes the private information which month's quota a scan used. */
const withoutQuota = (scan: Scan): Scan => ({ ...scan, quotaPeriod: null })
