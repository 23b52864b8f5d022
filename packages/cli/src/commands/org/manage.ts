/** sov org rename, timezone, suspend, resume and limit: the changes that the operator can make to an organization. */
import type { StoragePorts } from "@sov/core/common"
import {
  findOrganization,
  maxRequestRate,
  Name,
  type Organization,
  organizationJson,
  renameOrganization,
  resumeOrganization,
  setOrganizationLimits,
  setTimeZone,
  suspendOrganization
} from "@sov/core/organizations"
import { formatDollars } from "@sov/core/platforms"
import { Effect } from "effect"
import type { SecureRandom } from "effect/crypto"
import { usageError } from "../../CliError.ts"
import { decodeInput } from "../../input/decodeInput.ts"
import { integerOption } from "../../input/integerOption.ts"
import { printable } from "../../output/Output.ts"
import { runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

/** Changes the organization with this short name and prints it. */
const change = <E extends object>(
  options: GlobalOptions,
  slug: string,
  edit: (found: Organization) => Effect.Effect<Organization, E, StoragePorts | SecureRandom.SecureRandom>,
  words: (changed: Organization) => string
) =>
  runCommand(options, { repeatable: true }, function*({ out }) {
    const changed = yield* edit(yield* findOrganization(slug))
    out.result(organizationJson(changed), () => words(changed))
  })

/** Runs `sov org rename SLUG NAME`. */
export const rename = (options: GlobalOptions, slug: string, given: string) =>
  change(
    options,
    slug,
    ({ id }) => Effect.flatMap(decodeInput(Name, given, "NAME"), (name) => renameOrganization(id, name)),
    ({ name }) => `${slug} is named ${printable(name)} now. Its short name stays.`
  )

/** Runs `sov org timezone SLUG ZONE`. */
export const timezone = (options: GlobalOptions, slug: string, zone: string) =>
  change(
    options,
    slug,
    ({ id }) => Effect.catchTag(setTimeZone(id, zone), "ChangedMeanwhile", Effect.die),
    ({ name, timeZone }) => `${printable(name)}: times are shown in ${timeZone}. A schedule has its own time zone.`
  )

/** Runs `sov org suspend SLUG`. */
export const suspend = (options: GlobalOptions & { readonly reason?: string }, slug: string) =>
  change(
    options,
    slug,
    ({ id }) => suspendOrganization(id, options.reason === undefined || options.reason === "" ? null : options.reason),
    ({ name }) =>
      `${printable(name)} is suspended: its results can be read, and no scan starts. sov org resume ${slug} ends that.`
  )

/** Runs `sov org resume SLUG`. */
export const resume = (options: GlobalOptions, slug: string) =>
  change(options, slug, ({ id }) => resumeOrganization(id), ({ name }) => `${printable(name)} may scan.`)

interface LimitOptions extends GlobalOptions {
  readonly requestsPerMinute?: string | false
  readonly monthlyBudget?: string | false
}

const parseBudget = (text: string) =>
  /^\d{1,9}(\.\d{1,6})?$/.test(text)
    ? Effect.succeed(Number(text))
    : Effect.fail(usageError(`--monthly-budget must be US dollars such as 50 or 12.5, not ${JSON.stringify(text)}`))

const describeLimits = ({ monthlyBudgetUsd, name, requestRate }: Organization): string =>
  `${printable(name)}: ${
    requestRate === null ? "no limit of requests beside that of each key" : `${requestRate} requests a minute`
  }, ${monthlyBudgetUsd === null ? "no monthly budget" : `${formatDollars(monthlyBudgetUsd)} a month`}`

/** Runs `sov org limit SLUG`. */
export const limit = (options: LimitOptions, slug: string) =>
  change(
    options,
    slug,
    Effect.fnUntraced(function*({ id }: Organization) {
      const { monthlyBudget: budget, requestsPerMinute: rate } = options
      return yield* setOrganizationLimits(id, {
        ...rate === undefined
          ? {}
          : {
            requestRate: rate === false ? null : yield* integerOption("--requests-per-minute", rate, 1, maxRequestRate)
          },
        ...budget === undefined ? {} : { monthlyBudgetUsd: budget === false ? null : yield* parseBudget(budget) }
      })
    }),
    describeLimits
  )
