import { Effect } from "effect"
import { type AnchorDocument, makeAnchor } from "../../domain/archive/AnchorDocument.ts"
import { formatAnchor } from "../../domain/archive/ArchiveProblem.ts"
import { EventId, type OrganizationId } from "../../domain/ids.ts"
import { EventOutbox } from "../../ports/EventOutbox.ts"
import { runActs } from "../audit/recordActs.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { readChainHead } from "./readChainHead.ts"

/**
 * Makes an anchor of the organization's newest seal for somebody outside: recorded in the audit log, and sent as event
 * `archive.anchored`, in one transaction. Null while there is no seal.
 */
export const anchorChain = Effect.fn("anchorChain")(function*(organizationId: OrganizationId) {
  const head = yield* readChainHead(organizationId)
  if (head === null) return null
  const at = yield* now
  const anchor: AnchorDocument = makeAnchor(organizationId, head, at)
  const id = yield* newId(EventId)
  return yield* runActs(
    organizationId,
    Effect.flatMap(
      EventOutbox,
      ({ put }) => put(organizationId, { id, event: "archive.anchored", timestamp: at, data: anchor })
    ).pipe(Effect.as(anchor)),
    () => [{
      action: "archive.anchored",
      subjectId: organizationId,
      detail: { head: formatAnchor(anchor) }
    }]
  )
})
