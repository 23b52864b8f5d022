/** sov share: links that show the report of a period to people who do not sign in. */
import { NotFound } from "@sov/core/common"
import {
  createShareLink,
  defaultShareDays,
  listShareLinks,
  maxShareDays,
  revokeShareLink,
  type ShareLink,
  shareLinkJson,
  shareLinkState
} from "@sov/core/sharing"
import { Clock, Effect } from "effect"
import { usageError } from "../../CliError.ts"
import { confirm } from "../../input/confirm.ts"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { dateRange } from "../../input/dateOption.ts"
import { integerOption } from "../../input/integerOption.ts"
import { printable } from "../../output/Output.ts"
import { runCommand, runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { serverOrigin } from "../../settings/serverOrigin.ts"

interface CreateOptions extends GlobalOptions {
  readonly name: string
  readonly from?: string
  readonly to?: string
  readonly days?: string
  readonly withAnswers?: boolean
  readonly publicUrl?: string
}

const describe = (link: ShareLink) => Effect.map(Clock.currentTimeMillis, (at) => shareLinkJson(link, new Date(at)))

/** Runs `sov share create`. */
export const create = (options: CreateOptions) =>
  runCommand(options, {}, function*({ out }) {
    const days = yield* integerOption("--days", options.days ?? String(defaultShareDays), 1, maxShareDays)
    const { from = null, to = null } = yield* dateRange({
      ...options.from === undefined ? {} : { from: options.from },
      ...options.to === undefined ? {} : { to: options.to }
    })
    const origin = yield* serverOrigin("--public-url", options.publicUrl)
    const organization = yield* currentOrganization(options)
    const withAnswers = options.withAnswers === true
    const { link, token } = yield* createShareLink(organization.id, {
      name: options.name,
      from,
      to,
      days,
      withAnswers
    })
    const url = `${origin}/share/${token}`
    out.note("This is the only time the link is shown. Everybody who has it sees the report.")
    out.result({ ...yield* describe(link), url }, () => url)
  })

/** Runs `sov share list`. */
export const list = (options: GlobalOptions) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const links = yield* Effect.forEach(yield* listShareLinks(organization.id), describe)
    out.list(links, [
      { header: "FOR", cell: ({ name }) => printable(name) },
      { header: "FROM", cell: ({ from }) => from ?? "-" },
      { header: "TO", cell: ({ to }) => to ?? "-" },
      { header: "ANSWERS", cell: ({ with_answers }) => with_answers ? "yes" : "no" },
      { header: "STATE", cell: ({ state }) => state },
      { header: "EXPIRES", cell: ({ expires_at }) => expires_at },
      { header: "LAST OPENED", cell: ({ last_used_at }) => last_used_at ?? "never" },
      { header: "ID", cell: ({ id }) => id }
    ], { empty: "No share links yet: sov share create --name NAME" })
  })

/** Runs `sov share revoke`. */
export const revoke = (options: GlobalOptions, named: string) =>
  runForOrganization(options, {}, function*({ out }, organization) {
    const all = yield* listShareLinks(organization.id)
    const at = new Date(yield* Clock.currentTimeMillis)
    const byName = all.filter((link) => link.name === named && shareLinkState(link, at) === "active")
    if (byName.length > 1) {
      return yield* Effect.fail(
        usageError(`several links have the name ${named}`, "name one by its id: sov share list")
      )
    }
    const found = all.find(({ id }) => id === named) ?? byName[0]
    if (found === undefined) return yield* new NotFound({ what: "share link", id: named })
    yield* confirm(out, `Revoke the link for ${printable(found.name)} permanently?`)
    const { revokedAt } = yield* revokeShareLink(organization.id, found.id)
    out.result(
      { id: found.id, revoked_at: revokedAt!.toISOString() },
      () => `The link for ${printable(found.name)} is revoked.`
    )
  })
