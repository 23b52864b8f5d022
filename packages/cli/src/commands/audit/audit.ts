/** sov audit: who changed what, and when. */
import { operatorEntryJson, readOperatorLog } from "@sov/core/access"
import { AuditAction, auditEntryJson, formatAuditDetail, readAuditLog } from "@sov/core/audit"
import { maxLogPage } from "@sov/core/common"
import { wholeHistory } from "@sov/core/organizations"
import { Effect } from "effect"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { dateOption } from "../../input/dateOption.ts"
import { decodeInput } from "../../input/decodeInput.ts"
import { integerOption } from "../../input/integerOption.ts"
import { printable } from "../../output/Output.ts"
import { runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

interface ListOptions extends GlobalOptions {
  readonly limit?: string
  readonly cursor?: string
  readonly since?: string
  readonly actor?: string
  readonly action?: string
  readonly operator?: boolean
}

const defaultLimit = 50

type EntryJson = ReturnType<typeof auditEntryJson>

const formatActor = ({ kind, name }: Pick<EntryJson["actor"], "kind" | "name">): string =>
  kind === name ? kind : `${kind} ${name}`

/**
 * Makes a flat row: facts that all entries have get a column each, and the last column contains the other facts of the
 * action as JSON.
 */
const flatten = ({ action, actor, at, detail, id, subject }: EntryJson) => ({
  id,
  at,
  actor_kind: actor.kind,
  actor: actor.name,
  actor_id: actor.id,
  action,
  subject_kind: subject.kind,
  subject_id: subject.id,
  detail
})

const pageLimit = (given: string | undefined) =>
  given === undefined ? Effect.succeed(defaultLimit) : integerOption("--limit", given, 1, maxLogPage)

/** Prints the operator's log, which belongs to no organization. */
const listOperator = (options: ListOptions) =>
  runCommand(options, { repeatable: true }, function*({ out }) {
    const limit = yield* pageLimit(options.limit)
    const page = yield* readOperatorLog({ limit, cursor: options.cursor })
    const entries = page.entries.map(operatorEntryJson)
    const columns = [
      { header: "AT", cell: ({ at }: (typeof entries)[number]) => at },
      { header: "ACTOR", cell: ({ actor }: (typeof entries)[number]) => printable(formatActor(actor)) },
      { header: "ACTION", cell: ({ action }: (typeof entries)[number]) => action },
      { header: "OF", cell: ({ subject_id }: (typeof entries)[number]) => subject_id }
    ]
    out.list(entries, columns, {
      ...out.format === "csv"
        ? {}
        : { wrap: { data: entries, meta: { count: entries.length, next_cursor: page.nextCursor } } },
      empty: "No entry yet: sov key create --operator --name NAME makes a key of the operator."
    })
    if (page.nextCursor !== null && !out.machine) out.note(`More: --cursor ${page.nextCursor}`)
  })

export const list = (options: ListOptions) => options.operator === true ? listOperator(options) : listOwn(options)

const listOwn = (options: ListOptions) =>
  runCommand(options, { repeatable: true }, function*({ out }) {
    const filters = {
      ...options.actor === undefined ? {} : { actor: options.actor },
      ...options.action === undefined
        ? {}
        : { action: yield* decodeInput(AuditAction, options.action as AuditAction, "--action") },
      ...options.since === undefined ? {} : { since: yield* dateOption("--since", options.since, "from") }
    }
    const limit = yield* pageLimit(options.limit)
    const organization = yield* currentOrganization(options)
    const page = yield* readAuditLog(organization.id, wholeHistory, filters, { limit, cursor: options.cursor })
    const entries = page.entries.map(auditEntryJson)
    const empty = "No entry yet: what is changed from now on is recorded."
    if (out.format === "csv") out.list(entries.map(flatten), [], { empty })
    else {
      out.list(entries, [
        { header: "AT", cell: ({ at }) => at },
        { header: "ACTOR", cell: ({ actor }) => printable(formatActor(actor)) },
        { header: "ACTION", cell: ({ action }) => action },
        { header: "DETAIL", cell: ({ detail }) => printable(formatAuditDetail(detail)) }
      ], { wrap: { data: entries, meta: { count: entries.length, next_cursor: page.nextCursor } }, empty })
    }
    if (page.nextCursor !== null && !out.machine) out.note(`More: --cursor ${page.nextCursor}`)
  })
