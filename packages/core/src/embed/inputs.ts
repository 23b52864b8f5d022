/**
 * Checks the options of the methods of `openSov` before anything is done, because JavaScript does not refuse wrong
 * options as TypeScript does.
 */
import { Predicate, Result, Schema } from "effect"
import type { ArchiveFilters } from "../domain/archive/ArchiveFilters.ts"
import { KeywordId, ScanId } from "../domain/ids.ts"
import { Sentiment } from "../domain/measuring/Measurement.ts"
import { Name } from "../domain/organizations/Organization.ts"
import { PlanId } from "../domain/organizations/Plan.ts"
import { PlatformId, platformIds } from "../domain/platforms/Platform.ts"
import { TrackingFile } from "../domain/tracking/TrackedSet.ts"
import { Rejected } from "../usecases/errors.ts"
import type { NewOrganization, OpenOptions, OrganizationChanges, ScanOptions } from "./Home.ts"

/** A schema for each member, including optional ones; code that omits a member does not compile. */
type Members<Options> = { readonly [Name in keyof Options]-?: Schema.Top }

const signal = Schema.declare(
  (input): input is AbortSignal => Predicate.hasProperty(input, "throwIfAborted"),
  { expected: "an AbortSignal" }
)
const stoppable = { signal: Schema.optional(signal) }

const reporting = {
  onProgress: Schema.optional(
    Schema.declare((input): input is NonNullable<ScanOptions["onProgress"]> => Predicate.isFunction(input), {
      expected: "a function"
    })
  )
}

const intBetween = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

export const StopInput = Schema.Struct(stoppable)
export const WorkInput = Schema.Struct({ signal })
export const InitializeInput = Schema.Struct({
  ...stoppable,
  name: Schema.optional(Schema.String),
  plan: Schema.optional(PlanId)
})
const limits = Schema.Struct({
  scanQuota: Schema.optional(Schema.NullOr(Schema.Int)),
  requestRate: Schema.optional(Schema.NullOr(Schema.Int)),
  monthlyBudgetUsd: Schema.optional(Schema.NullOr(Schema.Number))
})
export const ChangesInput = Schema.Struct(
  {
    ...stoppable,
    name: Schema.optional(Name),
    plan: Schema.optional(PlanId),
    limits: Schema.optional(limits)
  } satisfies Members<OrganizationChanges>
)
export const NewOrganizationInput = Schema.Struct(
  {
    ...ChangesInput.fields,
    tracking: Schema.optional(TrackingFile),
    idempotencyKey: Schema.optional(Schema.String)
  } satisfies Members<NewOrganization>
)
export const SuspendInput = Schema.Struct({ ...stoppable, reason: Schema.optional(Schema.String) })
export const UsageInput = Schema.Struct({
  ...stoppable,
  month: Schema.optional(Schema.String),
  organization: Schema.optional(Schema.String)
})
export const ScanInput = Schema.Struct(
  {
    ...stoppable,
    ...reporting,
    samples: Schema.optional(intBetween(1, 5)),
    platforms: Schema.optional(Schema.Array(PlatformId)),
    keywords: Schema.optional(Schema.Array(KeywordId)),
    usesQuota: Schema.optional(Schema.Boolean)
  } satisfies Members<ScanOptions>
)
export const ResumeInput = Schema.Struct({ ...stoppable, ...reporting, scanId: Schema.optional(Schema.String) })
export const ScoreInput = Schema.Struct({ ...stoppable, scans: Schema.optional(intBetween(1, 100)) })
export const FiltersInput = Schema.Struct(
  {
    keywordId: Schema.optional(KeywordId),
    platform: Schema.optional(PlatformId),
    scanId: Schema.optional(ScanId),
    from: Schema.optional(Schema.Date),
    to: Schema.optional(Schema.Date),
    named: Schema.optional(Schema.Boolean),
    sentiment: Schema.optional(Sentiment),
    tag: Schema.optional(Schema.String),
    view: Schema.optional(Schema.String),
    words: Schema.optional(Schema.String.check(Schema.isMaxLength(200)))
  } satisfies Members<ArchiveFilters>
)

/** Throws Rejected unless `value` matches the schema and has no other members. */
export const checkInput = (schema: Schema.Decoder<unknown>, value: unknown, field: string): void => {
  const decoded = Schema.decodeUnknownResult(schema)(value, { onExcessProperty: "error" })
  if (Result.isFailure(decoded)) {
    throw new Rejected({ field, message: decoded.failure.message.replace(/\s+/g, " ") })
  }
}

const checkPlatform = (platform: unknown): void => {
  const reject = (message: string) => new Rejected({ field: "platforms", message })
  if (!Predicate.isObject(platform)) throw reject("a platform is an object with id, model and ask")
  const { ask, id: given, model } = platform as { readonly [name: string]: unknown }
  const id = platformIds.find((known) => known === given)
  if (id === undefined) {
    throw reject(`the id of a platform is one of ${platformIds.join(", ")}`)
  }
  if (typeof model !== "string") throw reject(`${id}: model must be a string`)
  if (typeof ask !== "function") throw reject(`${id}: ask must be a function`)
}

/** Throws Rejected unless the options of `openSov` name one home, and only platforms that can be asked. */
export const checkOpenOptions = (given: unknown): void => {
  const { dataDir, databaseUrl, platforms = [] } = (given ?? {}) as { readonly [name in keyof OpenOptions]?: unknown }
  const [home, ...others] = [dataDir, databaseUrl].filter((one) => one !== undefined)
  if (typeof home !== "string" || home === "" || others.length > 0) {
    throw new Rejected({ field: "options", message: "give either dataDir or databaseUrl, as a string" })
  }
  if (Array.isArray(platforms)) {
    for (const platform of platforms as ReadonlyArray<unknown>) checkPlatform(platform)
  } else if (!Predicate.hasProperty(platforms, "all") || !(platforms.all instanceof Map)) {
    throw new Rejected({ field: "platforms", message: "give an array of platforms, or what readPlatforms returns" })
  }
}
