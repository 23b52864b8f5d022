import { Effect } from "effect"
import { type AnchorDocument, makeAnchor } from "../../domain/archive/AnchorDocument.ts"
import { formatAnchor } from "../../domain/archive/ArchiveProblem.ts"
import { EventId, type OrganizationId } from "../../domain/ids.ts"
import { runActs } from "../audit/recordActs.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { publishEvent } from "../webhooks/publishEvent.ts"
import { readChainHead } from "./reads.ts"

/** Adds a time stamp to an anchor. */
type Stamp<E, R> = (anchor: AnchorDocument) => Effect.Effect<AnchorDocument, E, R>

/**
 * Creates an anchor of the organization's newest seal for an outside party. Records it in the audit log and sends event
 * `archive.anchored`, in one transaction. Returns null if there is no seal. `stamp` adds a time stamp first; if it
 * fails, nothing is recorded.
 */
export const anchorChain = Effect.fn("anchorChain")(function*<E = never, R = never>(
  organizationId: OrganizationId,
  stamp: Stamp<E, R> = Effect.succeed
) {
  const head = yield* readChainHead(organizationId)
  if (head === null) return null
  const at = yield* now
  const anchor = yield* stamp(makeAnchor(organizationId, head, at))
  const id = yield* newId(EventId)
  return yield* runActs(
    organizationId,
    publishEvent(organizationId, { id, event: "archive.anchored", timestamp: at, data: anchor }, {}).pipe(
      Effect.as(anchor)
    ),
    () => [{
      action: "archive.anchored",
      subjectId: organizationId,
      detail: { head: formatAnchor(anchor), tsa: anchor.time_stamp?.tsa ?? null }
    }]
  )
})
