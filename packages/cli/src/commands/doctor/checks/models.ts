/** Checks the models of the platforms: announced ends, answers from another model, and outdated prices. */
import { listOrganizations } from "@sov/core/organizations"
import { endsSoon, namePlatform, type PlatformId, platformIds, readPlatformHealth } from "@sov/core/platforms"
import { readNewestPlatformChanges } from "@sov/core/scanning"
import { type Break, describeBreak } from "@sov/core/scoring"
import { Effect } from "effect"
import { CliError } from "../../../CliError.ts"
import { providerOf } from "../../../runtime.ts"
import { type Finding, makeStoreCheck, ok, skipped, warn } from "./Check.ts"

/** The facts about a configured platform. Days are in UTC, such as `2026-12-31`. */
export interface KnownModel {
  readonly id: PlatformId
  readonly label?: string
  /** The last day of the platform's model; null if no day is announced. */
  readonly endsOn: string | null
  readonly prices: { readonly from?: string; readonly until?: string }
}

/** A change of a platform that the newest scan of an organization found. */
export type NewestChange = Break & { readonly organization: string; readonly scan_id: string }

/** Warns of each model that ends within 30 days, each price list that is not valid today, and each changed model. */
export const diagnoseModels = (
  models: ReadonlyArray<KnownModel>,
  changes: ReadonlyArray<NewestChange>,
  now: Date
): Finding => {
  const today = now.toISOString().slice(0, 10)
  const ends = models.flatMap(({ endsOn, ...one }) =>
    endsOn === null || !endsSoon(endsOn, now)
      ? []
      : [{
        message: `${namePlatform(one)}: its model ${endsOn < today ? "ended" : "ends"} on ${endsOn}`,
        fix: `set platforms.${one.id}.model to its successor; docs/platforms.md has present names`
      }]
  )
  const prices = models.flatMap(({ prices: { from, until }, ...one }) => {
    const wrong = until !== undefined && until < today
      ? `held until ${until}`
      : from !== undefined && from > today
      ? `hold from ${from}`
      : null
    const fix = `set platforms.${one.id}.prices to the provider's present list`
    return wrong === null ? [] : [{ message: `${namePlatform(one)}: its prices ${wrong}`, fix }]
  })
  const changed = changes.map(({ organization, scan_id, ...found }) => ({
    message: `${found.platform}: ${describeBreak(found)} in scan ${scan_id} of ${organization}`,
    fix: "its answers are not compared across this; docs/measuring.md says what that changes"
  }))
  const all = [...ends, ...prices, ...changed]
  const [first] = all
  return first === undefined
    ? ok(models.length === 0 ? "no platform is configured" : "no end is announced, and the same models answer")
    : warn(all.map(({ message }) => message).join("; "), first.fix)
}

export const models = makeStoreCheck("models", ({ config, now }) =>
  Effect.gen(function*() {
    if (config === null || config.decoded instanceof CliError) return skipped("no usable configuration")
    const { platforms } = config.decoded
    const bound = platformIds.flatMap((id) => {
      const binding = platforms[id]
      return binding === undefined || binding.adapter === "simulated" ? [] : [{ id, binding }]
    })
    const reports = yield* readPlatformHealth(
      bound.map(({ binding, id }) => ({ id, simulated: false, provider: providerOf(id, binding) }))
    )
    const known = bound.map(({ binding, id }): KnownModel => ({
      id,
      ...binding.label === undefined ? {} : { label: binding.label },
      endsOn: reports.find((report) => report.id === id)?.health?.endsOn ?? null,
      prices: "prices" in binding ? binding.prices ?? {} : {}
    }))
    const changes = yield* Effect.forEach(
      yield* listOrganizations(),
      ({ id, slug }) =>
        Effect.map(
          readNewestPlatformChanges(id),
          (found) => found.map((one): NewestChange => ({ organization: slug, ...one }))
        )
    )
    return diagnoseModels(known, changes.flat(), now)
  }))
