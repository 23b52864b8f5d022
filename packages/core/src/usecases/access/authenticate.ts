import { Effect } from "effect"
import { type ApiKey, hashApiKey, isUsable, isWellFormedApiKey, type KeyScope } from "../../domain/access/ApiKey.ts"
import type { ApiKeyId } from "../../domain/ids.ts"
import type { Organization } from "../../domain/organizations/Organization.ts"
import { plans } from "../../domain/organizations/Plan.ts"
import { ApiKeyStore } from "../../ports/ApiKeyStore.ts"
import { KeyRefused, PlanTooLow, ScopeMissing } from "../errors.ts"
import { now } from "../now.ts"

/** The caller of the API: the organization that owns the key. */
export interface Caller {
  readonly organization: Organization
  readonly keyId: ApiKeyId
  readonly keyName: string
  /** Scopes of the key. */
  readonly scopes: ReadonlyArray<KeyScope>
}

/** Checks that the caller's key has the scope. Fails with ScopeMissing. */
export const requireScope = ({ scopes }: Caller, scope: KeyScope): Effect.Effect<void, ScopeMissing> =>
  scopes.includes(scope) ? Effect.void : Effect.fail(new ScopeMissing({ scope }))

/** A key with its owner. */
export interface FoundKey {
  readonly organization: Organization
  readonly key: ApiKey
}

/** Finds the key with this hash; null if there is no such key. */
export type FindKey<E, R> = (hash: Uint8Array) => Effect.Effect<FoundKey | null, E, R>

/**
 * Finds the owner of the presented key. A mistyped key is refused without a query. Fails with KeyRefused, which does
 * not contain the reason, or with PlanTooLow for a valid key of a plan without API access.
 */
export const authenticateWith = <E, R>(presented: string, find: FindKey<E, R>) =>
  Effect.gen(function*() {
    if (!isWellFormedApiKey(presented)) return yield* new KeyRefused()
    const found = yield* find(hashApiKey(presented))
    if (found === null || !isUsable(found.key, yield* now)) return yield* new KeyRefused()
    const { plan } = found.organization
    if (!plans[plan].apiAccess) return yield* new PlanTooLow({ plan })
    const { id, name, scopes } = found.key
    const caller: Caller = { organization: found.organization, keyId: id, keyName: name, scopes }
    return caller
  })

/** Calls `authenticateWith` with the store: one statement for each call. */
export const authenticate = Effect.fnUntraced(function*(presented: string) {
  return yield* authenticateWith(presented, (yield* ApiKeyStore).findByHash)
})
