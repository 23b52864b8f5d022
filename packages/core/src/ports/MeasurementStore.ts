import { Context, type Effect } from "effect"
import type { NewMention } from "../domain/alerts/newMention.ts"
import type { AnswerId, CompetitorId, KeywordId, OrganizationId, ScanId } from "../domain/ids.ts"
import type { Mention, Reading, Sentiment } from "../domain/measuring/Measurement.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import type { Origin } from "../domain/scoring/breaks.ts"
import type { ScoredRow } from "../domain/scoring/Score.ts"
import type { Keyword } from "../domain/tracking/Keyword.ts"
import type { TrackedSet } from "../domain/tracking/TrackedSet.ts"
import type { AnalysisError } from "./AnswerAnalysis.ts"
import type { StoreError } from "./StoreError.ts"

/** One stored measurement of one answer. */
export interface StoredMeasurement {
  readonly answerId: AnswerId
  readonly measureVersion: number
  readonly trackedSetVersion: number
  /** ICU version of the runtime that measured, because word boundaries depend on it. */
  readonly icuVersion: string
  readonly brandMentioned: boolean
  readonly mentionCount: number
  readonly mentionPosition: number | null
  readonly sentiment: Sentiment | null
  /** Who decided the sentiment: `rules`, or the judge's name. */
  readonly sentimentBy: string
  /** 0–100, unrounded. */
  readonly sovScore: number
  readonly competitorsMentioned: ReadonlyArray<CompetitorId>
  /** Mentions with offsets into the raw text; `entity` numbers competitors in the order of that tracked-set version. */
  readonly mentions: ReadonlyArray<Mention>
  readonly measuredAt: Date
}

/** An answer that still needs to be measured. */
export interface Unmeasured {
  readonly answerId: AnswerId
  readonly keywordId: KeywordId
  readonly platform: PlatformId
  readonly promptUsed: string
  readonly rawResponse: string
}

/** A page of answers to measure ends with the answer that brings its texts to this many bytes. */
export const maxPageBytes = 8_388_608

/** An answer that could not be measured with these versions. */
export interface MeasurementFailure
  extends Pick<StoredMeasurement, "answerId" | "measureVersion" | "trackedSetVersion">
{
  readonly reason: AnalysisError["reason"]
  readonly failedAt: Date
}

/** The versions of the rules and the tracked set behind a measurement. */
export type MeasurementVersions = Pick<StoredMeasurement, "measureVersion" | "trackedSetVersion">

/** An answer with its newest measurement. */
export interface NewestMeasured extends Unmeasured {
  /** Null for an answer that was never measured. */
  readonly newest: (MeasurementVersions & Reading) | null
}

/** The result of measuring an answer by the rules for a tracked set. */
export type MeasuredByRules = Pick<
  StoredMeasurement,
  "answerId" | "trackedSetVersion" | "brandMentioned" | "mentionCount" | "mentionPosition" | "sentiment" | "mentions"
>

/** Scored rows of several scans that were measured with the same versions. */
export interface MeasuredScans {
  readonly trackedSet: Pick<TrackedSet, "brand" | "competitors" | "topics">
  /** Scored rows in the order of the answers. */
  readonly rows: ReadonlyArray<ScoredRow & { readonly scanId: ScanId }>
  readonly keywords: ReadonlyArray<Pick<Keyword, "id" | "text">>
}

/** The cells of a scan on one platform. */
export interface PlatformCells {
  readonly platform: PlatformId
  readonly cells: number
  /** How many of these cells another scan also has. */
  readonly common: number
  readonly origins: ReadonlyArray<Origin>
}

/** MeasurementStore stores the measurements of answers, one row per measure version and tracked-set version. */
export class MeasurementStore extends Context.Service<MeasurementStore, {
  /** Adds measurements; if one already exists for the same answer and versions, it is left unchanged. */
  readonly insert: (
    organizationId: OrganizationId,
    measurements: ReadonlyArray<StoredMeasurement>
  ) => Effect.Effect<void, StoreError>
  /** Records that an answer could not be measured, replacing an earlier record for the same versions. */
  readonly noteFailure: (
    organizationId: OrganizationId,
    failure: MeasurementFailure
  ) => Effect.Effect<void, StoreError>
  /**
   * The newest failure of the answer; null if there was no failure, or if a measurement with the same versions exists.
   */
  readonly findFailure: (
    organizationId: OrganizationId,
    answerId: AnswerId
  ) => Effect.Effect<MeasurementFailure | null, StoreError>
  /**
   * For each organization, the number of answers that could not be measured with these rules and its newest tracked
   * set, and are still not measured.
   */
  readonly countFailures: (
    measureVersion: number
  ) => Effect.Effect<ReadonlyArray<{ readonly organizationId: OrganizationId; readonly answers: number }>, StoreError>
  /**
   * Up to `limit` answers of the scan without a measurement of these versions, in id order, starting after `after`;
   * fewer once their texts reach `maxPageBytes` bytes (UTF-8).
   */
  readonly unmeasured: (
    organizationId: OrganizationId,
    scanId: ScanId,
    versions: MeasurementVersions,
    limit: number,
    after?: AnswerId
  ) => Effect.Effect<ReadonlyArray<Unmeasured>, StoreError>
  /** Whether an answer of the scan has neither a measurement with these versions nor a recorded failure. */
  readonly hasUntried: (
    organizationId: OrganizationId,
    scanId: ScanId,
    versions: MeasurementVersions
  ) => Effect.Effect<boolean, StoreError>
  /** How many answers the scan has, and how many of these are measured with these versions. */
  readonly counts: (
    organizationId: OrganizationId,
    scanId: ScanId,
    versions: MeasurementVersions
  ) => Effect.Effect<{ readonly answers: number; readonly measured: number }, StoreError>
  /** Like `counts` for several scans, in one statement. A scan without answers is left out. */
  readonly countsOfScans: (
    organizationId: OrganizationId,
    scanIds: ReadonlyArray<ScanId>,
    versions: MeasurementVersions
  ) => Effect.Effect<ReadonlyMap<ScanId, { readonly answers: number; readonly measured: number }>, StoreError>
  /**
   * Up to `limit` answers of the scan, or of those `among` these, with the newest measurement of each, in id order,
   * starting after `after`; the page also ends after the answer that brings its texts to `maxPageBytes`.
   */
  readonly newest: (
    organizationId: OrganizationId,
    scanId: ScanId,
    limit: number,
    after?: AnswerId,
    among?: ReadonlyArray<AnswerId>
  ) => Effect.Effect<ReadonlyArray<NewestMeasured>, StoreError>
  /**
   * The mentions and stance in the newest measurement of each of these answers, in any order. Answers that are not
   * measured are left out.
   */
  readonly newestMentions: (
    organizationId: OrganizationId,
    ids: ReadonlyArray<AnswerId>
  ) => Effect.Effect<
    ReadonlyArray<
      Pick<
        StoredMeasurement,
        "answerId" | "measureVersion" | "trackedSetVersion" | "competitorsMentioned" | "sentiment" | "mentions"
      >
    >,
    StoreError
  >
  /**
   * The newest measurement of each of these answers by these rules on a runtime with this ICU version, for any tracked
   * set, in any order. A measurement whose sentiment a judge decided does not count; an answer without any measurement
   * is left out.
   */
  readonly newestByRules: (
    organizationId: OrganizationId,
    ids: ReadonlyArray<AnswerId>,
    rules: Pick<StoredMeasurement, "measureVersion" | "icuVersion">
  ) => Effect.Effect<ReadonlyArray<MeasuredByRules>, StoreError>
  /** The data that scoring needs from all measured answers of the scan. */
  readonly rows: (
    organizationId: OrganizationId,
    scanId: ScanId,
    versions: MeasurementVersions
  ) => Effect.Effect<ReadonlyArray<ScoredRow>, StoreError>
  /**
   * The data that scoring needs from all measured answers of several scans, with the tracked set of these versions and
   * the texts of the answered keywords, in one statement. Limited to the given keywords, if there are any. Null if
   * there is no such tracked set.
   */
  readonly rowsOfScans: (
    organizationId: OrganizationId,
    scanIds: ReadonlyArray<ScanId>,
    versions: MeasurementVersions,
    keywordIds?: ReadonlyArray<KeywordId>
  ) => Effect.Effect<MeasuredScans | null, StoreError>
  /**
   * For each scan and platform: how many cells (keyword on a platform) have an answer, how many of these the first scan
   * also has, and the origins of the answers. Questions of the keywords `leftOut` are not counted. A scan without such
   * a cell is left out.
   */
  readonly countCommonCells: (
    organizationId: OrganizationId,
    scanId: ScanId,
    others: ReadonlyArray<ScanId>,
    leftOut: ReadonlyArray<KeywordId>
  ) => Effect.Effect<ReadonlyMap<ScanId, ReadonlyArray<PlatformCells>>, StoreError>
  /** The origins of the answers of these scans, measured or not; a scan without answers is left out. */
  readonly originsOfScans: (
    organizationId: OrganizationId,
    scanIds: ReadonlyArray<ScanId>
  ) => Effect.Effect<ReadonlyMap<ScanId, ReadonlyArray<Origin>>, StoreError>
  /**
   * The cells where the scan names the brand for the first time, or again after 5 answers that do not (`first` or `new`
   * in `classifyNovelty`), by platform and keyword. Earlier answers come from scans that were started before this scan;
   * the 5 are of the same model and search mode. All answers are judged by measurements with these versions; an earlier
   * answer without one counts as not naming the brand (`unmeasuredBefore` lists it). Real and simulated answers are not
   * mixed.
   */
  readonly newMentions: (
    organizationId: OrganizationId,
    scanId: ScanId,
    versions: MeasurementVersions
  ) => Effect.Effect<ReadonlyArray<NewMention>, StoreError>
  /**
   * Up to `limit` earlier answers without a measurement of these versions that could change the result of
   * `newMentions`, newest first. For each cell that `newMentions` returns, these are the last 5 answers, and all
   * earlier answers while none of these is known to name the brand. The page also ends after the answer that brings its
   * texts to `maxPageBytes`.
   */
  readonly unmeasuredBefore: (
    organizationId: OrganizationId,
    scanId: ScanId,
    versions: MeasurementVersions,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Unmeasured>, StoreError>
}>()("@sov/core/ports/MeasurementStore") {}
