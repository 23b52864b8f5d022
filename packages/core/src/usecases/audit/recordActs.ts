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
 * The entries of what the current `Actor` has done. Where a form asked for it, the first entry has its id (`runOnce`).
 * To be stored with what they are about.
 */
export const makeEntries = Effect.fnUntraced(function*(acts: ReadonlyArray<Act>) {
  const [actor, at] = yield* Effect.all([Actor, now])
  const formId = yield* FormId
  return yield* Effect.forEach(
    acts,
    (act, n) =>
      Effect.map(
        formId !== null && n === 0 ? Effect.succeed(formId) : newId(AuditEntryId),
        (id) => makeAuditEntry(id, at, actor, act)
      )
  )
})

/** Records what the current `Actor` has done. To be called inside the transaction that does it; nothing for no acts. */
export const recordActs = Effect.fnUntraced(function*(organizationId: OrganizationId, acts: ReadonlyArray<Act>) {
  if (acts.length === 0) return
  const log = yield* AuditLog
  yield* log.record(organizationId, yield* makeEntries(acts))
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
