import { Effect } from "effect"
import type { KeywordId, OrganizationId } from "../../domain/ids.ts"
import type { PlatformId } from "../../domain/platforms/Platform.ts"
import { surfaceOf } from "../../domain/platforms/surface.ts"
import type { ScanType } from "../../domain/scanning/Scan.ts"
import { AnswerPlatforms } from "../../ports/AnswerPlatform.ts"
import { type ScanBasis, ScanStore } from "../../ports/ScanStore.ts"
import { NotFound, NotReady, PlatformsMissing, Rejected } from "../errors.ts"
import { findSpentBudget, findSuspension } from "../organizations/findScanBar.ts"
import { findView, listViews } from "../tracking/editViews.ts"
import { findTagged } from "../tracking/readTags.ts"

export interface ScanRequest {
  readonly scanType: ScanType
  /** Whether the start uses one unit of the monthly quota. Manual starts do, the demo and schedules do not. */
  readonly usesQuota: boolean
  /** How often each keyword is asked on each platform, 1–5. */
  readonly samples: number
  /** The keywords to ask; by default all active ones. */
  readonly keywordIds?: ReadonlyArray<KeywordId>
  /** Also asks active keywords with any of these tags, in addition to `keywordIds`. */
  readonly tags?: ReadonlyArray<string>
  /** The platforms to ask; by default all configured ones. */
  readonly platforms?: ReadonlyArray<PlatformId>
  /** The views to ask from, by name; by default the standard view and all others. */
  readonly views?: ReadonlyArray<string>
}

/** The views that a request asks from; null stands for the standard view. Fails with NotFound. */
export const chooseViews = Effect.fnUntraced(
  function*(organizationId: OrganizationId, { views }: Pick<ScanRequest, "views">) {
    return views === undefined
      ? [null, ...yield* listViews(organizationId)]
      : yield* Effect.forEach([...new Set(views)], (name) => findView(organizationId, name))
  }
)

/** The checked questions of a scan that would start now. Starts nothing and uses no quota. */
export const planScan = Effect.fnUntraced(function*(basis: ScanBasis, request: ScanRequest) {
  const { keywordIds: active, organization, trackedSetVersion } = basis
  const suspension = findSuspension(organization)
  if (suspension !== null) return yield* suspension
  if (trackedSetVersion === null) return yield* new NotReady({ missing: "brand" })

  const known = new Set(active)
  const unknown = request.keywordIds?.find((id) => !known.has(id))
  if (unknown !== undefined) return yield* new NotFound({ what: "keyword", id: unknown })
  const chosen = new Set(request.keywordIds)
  for (const tag of request.tags ?? []) {
    const tagged = new Set(yield* findTagged(organization.id, tag))
    const asked = active.filter((id) => tagged.has(id))
    if (asked.length === 0) return yield* new NotFound({ what: "tag", id: JSON.stringify(tag) })
    for (const id of asked) chosen.add(id)
  }
  const isWhole = request.keywordIds === undefined && request.tags === undefined
  const keywordIds = isWhole ? active : active.filter((id) => chosen.has(id))
  if (keywordIds.length === 0) return yield* new NotReady({ missing: "keywords" })

  const configured = (yield* AnswerPlatforms).all
  const missing = request.platforms?.filter((id) => !configured.has(id)) ?? []
  if (missing.length > 0) return yield* new PlatformsMissing({ platforms: missing })
  const platforms = [...configured.values()].filter((platform) => request.platforms?.includes(platform.id) ?? true)
  if (platforms.length === 0) return yield* new NotReady({ missing: "platforms" })

  if (new Set(platforms.map((platform) => platform.simulated)).size > 1) {
    return yield* new Rejected({ field: "platforms", message: "simulated and real platforms cannot share a scan" })
  }

  const spent = platforms[0]!.simulated ? null : yield* findSpentBudget(organization)
  if (spent !== null) return yield* spent

  const surfaces = new Set(platforms.flatMap(({ adapter }) => surfaceOf(adapter) ?? []))
  if (surfaces.size > 1) {
    return yield* new Rejected({
      field: "platforms",
      message: "answers of APIs and of apps never add up: ask them in scans of their own"
    })
  }

  const alike = [...configured.values()].filter(({ simulated }) => simulated === platforms[0]!.simulated)
  const askable = { keywords: active.length, platforms: alike.length }
  return { organization, trackedSetVersion, keywordIds, platforms, askable, surface: [...surfaces][0] ?? null }
})

/**
 * Reads the data that decides whether and how a scan starts, with the record of an Idempotency-Key from `since` or
 * later. Fails with NotFound.
 */
export const readBasis = Effect.fnUntraced(
  function*(organizationId: OrganizationId, named: { readonly key: string; readonly since: Date } | null) {
    const basis = yield* (yield* ScanStore).readBasis(organizationId, named)
    return basis ?? (yield* new NotFound({ what: "organization", id: organizationId }))
  }
)
