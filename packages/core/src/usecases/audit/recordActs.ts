import { Effect } from "effect"
import { type Act, makeAuditEntry } from "../../domain/audit/AuditEntry.ts"
import { AuditEntryId, type OrganizationId } from "../../domain/ids.ts"
import { AuditLog } from "../../ports/AuditLog.ts"
import { OperatorStore } from "../../ports/OperatorStore.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { Actor } from "./Actor.ts"
import { FormId } from "./FormId.ts"

/**
 * Creates audit entries for acts of the current `Actor`. The caller stores them in the transaction of the acts. If a
 * form requested them, the first entry has the form's id (`runOnce`).
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

/**
 * Records acts of the current `Actor`; does nothing if there are no acts. Joins the caller's transaction, which
 * performs the acts. Acts of a key of the operator are also in the operator's log, without the organization's own
 * names.
 */
export const recordActs = Effect.fnUntraced(function*(organizationId: OrganizationId, acts: ReadonlyArray<Act>) {
  if (acts.length === 0) return
  const log = yield* AuditLog
  const entries = yield* makeEntries(acts)
  yield* log.record(organizationId, entries)
  const { kind, name, operatorKeyId } = yield* Actor
  if (operatorKeyId === undefined) return
  yield* (yield* OperatorStore).record(entries.map(({ action, at, id }) => ({
    id,
    at,
    actor: { kind, name, keyId: operatorKeyId },
    action,
    subjectId: organizationId,
    detail: {}
  })))
})

/**
 * Runs `effect` and records its acts in one transaction, so that neither exists without the other. `toActs` derives the
 * acts from the result; a result without changes has no acts. Fails as `effect` does, or with StoreError.
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
