import { Effect } from "effect"
import { type Act, makeAuditEntry } from "../../domain/audit/AuditEntry.ts"
import { AuditEntryId, type OrganizationId } from "../../domain/ids.ts"
import { AuditLog } from "../../ports/AuditLog.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { Actor } from "./Actor.ts"
import { FormId } from "./FormId.ts"

/**
 * Records what the current `Actor` has done. To be called inside the transaction that does it; nothing for no acts. Where a
 * form asked for it, the first entry has its id (`runOnce`).
 */
export const recordActs = Effect.fnUntraced(function*(organizationId: OrganizationId, acts: ReadonlyArray<Act>) {
  if (acts.length === 0) return
  const [actor, at, log] = yield* Effect.all([Actor, now, AuditLog])
  const formId = yield* FormId
  const entries = yield* Effect.forEach(
    acts,
    (act, n) =>
      Effect.map(
        formId !== null && n === 0 ? Effect.succeed(formId) : newId(AuditEntryId),
        (id) => makeAuditEntry(id, at, actor, act)
      )
  )
  yield* log.record(organizationId, entries)
})

/**
 * Does something in a transaction and records it there: neither exists without the other. `toActs` says what has been
 * done; nothing is recorded for what changed nothing. Fails as `effect` does, or with StoreError.
 */
export const runActs = <A, E, R>(
  organizationId: OrganizationId,
  effect: Effect.Effect<A, E, R>,
  toActs: (result: A) => ReadonlyArray<Act>
) =>
  Effect.flatMap(
    Transaction,
    ({ run }) => run(Effect.tap(effect, (result) => recordActs(organizationId, toActs(result))))
  )
