/** sov quota: the month's quota of manual scans. */
import { Rejected } from "@sov/core/common"
import { quotaJson, readQuota, setScanQuota } from "@sov/core/organizations"
import { Effect } from "effect"
import { usageError } from "../../CliError.ts"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { type CommandSession, runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

const printQuota = Effect.fnUntraced(function*(out: CommandSession["out"], options: GlobalOptions) {
  const organization = yield* currentOrganization(options)
  const quota = quotaJson(yield* readQuota(organization.id))
  out.result(
    quota,
    () =>
      `${quota.used} of ${quota.limit} manual scans used in ${quota.period}, ${quota.remaining} left until ${quota.resets_at}`
  )
})

export const show = (options: GlobalOptions) =>
  runCommand(options, { repeatable: true }, function*({ out }) {
    yield* printQuota(out, options)
  })

export const set = (options: GlobalOptions & { readonly limit?: string; readonly planLimit?: boolean }) =>
  runCommand(options, { repeatable: true }, function*({ out }) {
    if (options.planLimit === true && options.limit !== undefined) {
      return yield* Effect.fail(usageError("--limit and --plan-limit exclude each other"))
    }
    const organization = yield* currentOrganization(options)
    const limit = options.planLimit === true ? null : options.limit
    if (limit === undefined || (limit !== null && !/^\d{1,6}$/.test(limit))) {
      return yield* new Rejected({ field: "--limit", message: "--limit must be a whole number from 0 to 999999" })
    }
    yield* setScanQuota(organization.id, limit === null ? null : Number(limit))
    yield* printQuota(out, options)
  })
