import { Effect } from "effect"
import type { AuditEntryId, OrganizationId } from "../../domain/ids.ts"
import { AuditLog } from "../../ports/AuditLog.ts"
import { DoneBefore } from "../errors.ts"
import { FormId } from "./FormId.ts"

/**
 * Does what a form asks for, once: `act` is a use case with one transaction that records what it does. Its entry in the
 * audit log gets the id of the form, so a form that is sent again, at the same time, from another server or after a
 * crash, finds the entry there, and all that it would do is rolled back: DoneBefore, with that entry. What was refused
 * or changed nothing has no entry, and is done when the form is sent again.
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
    // The entry of a form that is being sent a second time is refused by the primary key of the audit log
    return yield* Effect.tapError(Effect.provideService(act, FormId, formId), () => failIfDone)
  }
)
