import { Effect } from "effect"
import type { AuditEntryId, OrganizationId } from "../../domain/ids.ts"
import { AuditLog } from "../../ports/AuditLog.ts"
import { DoneBefore } from "../errors.ts"
import { FormId } from "./FormId.ts"

/**
 * Runs a form's request once. `act` is a use case with one transaction that records its act; the audit entry gets the
 * id of the form. If the form is sent again, from another server, concurrently or after a crash, the entry already
 * exists and the second run is rolled back: it fails with DoneBefore and that entry. A refused or unchanged request
 * leaves no entry and can be sent again.
 */
export const runOnce = Effect.fn("runOnce")(
  function*<A, E, R>(
    organizationId: OrganizationId,
    formId: AuditEntryId,
    act: Effect.Effect<A, E, R>
  ) {
    const log = yield* AuditLog
    const failIfDone = Effect.gen(function*() {
      const entry = yield* log.find(organizationId, formId)
      if (entry !== null) return yield* new DoneBefore({ entry })
    })
    yield* failIfDone
    // The primary key of the audit log rejects the entry of a form that is sent a second time
    return yield* Effect.tapError(Effect.provideService(act, FormId, formId), () => failIfDone)
  }
)
