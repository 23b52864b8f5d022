/** Keys of the operator, and the log of actions with them. */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { formatOperatorKey, hashApiKey, isUsable, isWellFormedOperatorKey } from "../../domain/access/ApiKey.ts"
import type { OperatorEntry, OperatorKey } from "../../domain/access/OperatorKey.ts"
import { AuditEntryId, OperatorKeyId, type OrganizationId } from "../../domain/ids.ts"
import { OperatorStore } from "../../ports/OperatorStore.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { Actor } from "../audit/Actor.ts"
import { KeyRefused, NotFound, Rejected } from "../errors.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { type PageOptions, readPage } from "../readPage.ts"

/** Records an action on a key, in the caller's transaction. */
const recordKeyAct = Effect.fnUntraced(
  function*(action: OperatorEntry["action"], { expiresAt, id, name, prefix }: OperatorKey) {
    const { kind, name: actor, operatorKeyId: keyId = null } = yield* Actor
    const detail = { name, prefix, expires_at: expiresAt?.toISOString() ?? null }
    const entry = { id: yield* newId(AuditEntryId), at: yield* now, action, subjectId: id, detail }
    yield* (yield* OperatorStore).record([{ ...entry, actor: { kind, name: actor, keyId } }])
  }
)

/**
 * Creates a key of the operator. `secret` is the key itself, to be shown once: only its hash is stored. Fails with
 * Rejected if the expiry is not in the future.
 */
export const createOperatorKey = Effect.fn("createOperatorKey")(function*(name: string, expiresAt: Date | null = null) {
  const [at, random, store, { run }] = yield* Effect.all([now, SecureRandom.SecureRandom, OperatorStore, Transaction])
  if (expiresAt !== null && expiresAt <= at) {
    return yield* new Rejected({ field: "expires_at", message: "a key must expire in the future" })
  }
  const secret = formatOperatorKey(yield* random.randomBytes(32))
  const key: OperatorKey = {
    id: yield* newId(OperatorKeyId),
    name,
    prefix: secret.slice(0, 13),
    lastFour: secret.slice(-4),
    createdAt: at,
    expiresAt,
    revokedAt: null,
    lastUsedAt: null
  }
  yield* run(
    Effect.andThen(store.insertKey(key, hashApiKey(secret)), recordKeyAct("operator_key.created", key))
  )
  return { key, secret }
})

/** All keys of the operator, including revoked and expired ones, newest first. */
export const listOperatorKeys = Effect.fn("listOperatorKeys")(function*() {
  return yield* (yield* OperatorStore).listKeys
})

/**
 * Revokes a key permanently: every server refuses it from the next request on. A key that is already revoked does not
 * change. Fails with NotFound.
 */
export const revokeOperatorKey = Effect.fn("revokeOperatorKey")(function*(id: OperatorKeyId) {
  const [at, store, { run }] = yield* Effect.all([now, OperatorStore, Transaction])
  return yield* run(Effect.gen(function*() {
    const revoked = yield* store.revokeKey(id, at)
    if (revoked !== null) yield* recordKeyAct("operator_key.revoked", revoked)
    const key = revoked ?? (yield* store.listKeys).find((one) => one.id === id)
    return key ?? (yield* new NotFound({ what: "key", id }))
  }))
})

/**
 * Finds the presented key of the operator. Anything else, including an organization's key, is refused without a query.
 * `mayLookUp` runs before the query; if it returns false, the key is refused. Fails with KeyRefused, which does not
 * contain the reason.
 */
export const authenticateOperator = Effect.fnUntraced(
  function*(presented: string, mayLookUp: Effect.Effect<boolean>) {
    if (!isWellFormedOperatorKey(presented) || !(yield* mayLookUp)) return yield* new KeyRefused()
    const store = yield* OperatorStore
    const key = yield* store.findKeyByHash(hashApiKey(presented))
    const at = yield* now
    if (key === null || !isUsable(key, at)) return yield* new KeyRefused()
    yield* store.recordUse(key.id, at)
    return key
  }
)

/** Stands in for an organization in the cursors of the installation's own lists. */
export const installation = "installation" as OrganizationId

/** Up to `limit` entries of the operator's log, newest first. Fails with BadCursor. */
export const readOperatorLog = Effect.fn("readOperatorLog")(function*(options: PageOptions) {
  const store = yield* OperatorStore
  const { nextCursor, rows } = yield* readPage(
    installation,
    ["operator log"],
    options,
    store.entries,
    ({ at, id }) => ({ createdAt: at, id })
  )
  return { entries: rows, nextCursor }
})
