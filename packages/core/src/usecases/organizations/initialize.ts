import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { toEntityTerms } from "../../domain/measuring/Measurement.ts"
import type { PlanId } from "../../domain/organizations/Plan.ts"
import type { TrackingFile } from "../../domain/tracking/TrackedSet.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { addKeywords } from "../tracking/addKeywords.ts"
import { checkTerms, setTrackedSet } from "../tracking/editTrackedSet.ts"
import { createOrganization } from "./createOrganization.ts"

/** Reads the names of a tracking file, with defaults for members that are left out. */
const readNames = ({ brand, competitors = [] }: TrackingFile) => ({
  brand: {
    ...toEntityTerms({ aliases: [], domains: [], ...brand }),
    excludes: brand.excludes ?? []
  },
  competitors: competitors.map((one) => toEntityTerms({ aliases: [], domains: [], ...one }))
})

/** Rejects the names that `initialize` would reject, without needing a database. */
export const checkTracking = (tracking: TrackingFile) => Effect.asVoid(checkTerms(readNames(tracking)))

/** Sets up brand, competitors and keywords of a new organization. Joins the caller's transaction. */
export const setUpTracking = Effect.fnUntraced(function*(organizationId: OrganizationId, tracking: TrackingFile) {
  const { brand, competitors } = yield* setTrackedSet(organizationId, readNames(tracking))
  const added = yield* addKeywords(organizationId, (tracking.keywords ?? []).map((keyword) => keyword.text))
  return { brand, competitors, keywords: added.map(({ keyword }) => keyword) }
})

/** Sets up an organization with brand, competitors and keywords, all or nothing. */
export const initialize = Effect.fn("initialize")(function*(input: {
  readonly name: string
  readonly plan: PlanId
  readonly tracking: TrackingFile
}) {
  const { run } = yield* Transaction
  return yield* run(Effect.gen(function*() {
    const organization = yield* createOrganization({ name: input.name, plan: input.plan })
    return { organization, ...yield* setUpTracking(organization.id, input.tracking) }
  }))
})
