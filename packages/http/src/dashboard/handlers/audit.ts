/** The audit log and its CSV. */
import { AuditAction, type AuditEntry, auditEntryJson, readAuditLog } from "@sov/core/audit"
import { dateBound } from "@sov/core/common"
import { maxNameLength } from "@sov/core/organizations"
import { Effect, Schema } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { columnsOf, sendCsv, showPage } from "../guard/Reply.ts"
import { auditList, auditPage } from "../pages/audit.ts"
import { readCursorList } from "./listView.ts"
import { readFilter, withoutEmptyFields } from "./query.ts"
import { streamPages } from "./streamPages.ts"

/** Entries per read for the CSV. */
const csvPage = 500

/** Refuses control characters: names contain none, and PostgreSQL does not accept U+0000. */
const ActorText = Schema.String.check(Schema.isMaxLength(maxNameLength), Schema.isPattern(/^\P{Cc}*$/u))
const Since = Schema.String.check(
  Schema.makeFilter((text) => dateBound(text, "from") !== null ? true : "must be a day or a time")
)

const readFilters = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const given = {
    actor: yield* readFilter(request, "actor", ActorText),
    action: yield* readFilter(request, "action", AuditAction),
    since: yield* readFilter(request, "since", Since)
  }
  const { action, actor, since } = given
  return {
    given,
    filters: {
      ...actor === undefined ? {} : { actor },
      ...action === undefined ? {} : { action },
      ...since === undefined ? {} : { since: dateBound(since, "from")! }
    }
  }
})

/** GET /o/{slug}/settings/audit?actor=&action=&since=&cursor=, or &q=&sort=&page= */
export const showAudit = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { frame, organization, window } = request
  const clean = withoutEmptyFields(request, `/o/${request.organization.slug}/settings/audit`)
  if (clean !== null) return clean
  const { filters, given } = yield* readFilters(request)
  const list = yield* readCursorList(request, auditList, (options) =>
    Effect.map(
      readAuditLog(organization.id, window, filters, options),
      ({ entries, nextCursor }) => ({ rows: entries, nextCursor })
    ))
  return showPage(auditPage(frame, { ...list, filters: given }))
})

type Line = ReturnType<typeof auditEntryJson>

/** GET /o/{slug}/settings/audit.csv */
export const downloadAudit = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization, window } = request
  const { filters } = yield* readFilters(request)
  return sendCsv(
    "audit-log.csv",
    {
      ...columnsOf<Line>("id", "at"),
      actor_kind: ({ actor }: Line) => actor.kind,
      actor: ({ actor }) => actor.name,
      actor_id: ({ actor }) => actor.id,
      action: ({ action }) => action,
      subject_kind: ({ subject }) => subject.kind,
      subject_id: ({ subject }) => subject.id,
      detail: ({ detail }) => detail
    },
    streamPages((cursor) =>
      Effect.map(
        readAuditLog(organization.id, window, filters, { limit: csvPage, cursor }),
        ({ entries, nextCursor }) => ({ rows: entries.map((entry: AuditEntry) => auditEntryJson(entry)), nextCursor })
      )
    )
  )
})
