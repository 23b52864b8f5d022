import { Effect } from "effect"
import { isUsable } from "../../domain/access/ApiKey.ts"
import { ApiKeyStore } from "../../ports/ApiKeyStore.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import type { KeyRefused, PlanTooLow } from "../errors.ts"
import { makeAccessCache } from "./accessCache.ts"
import { authenticateWith, type Caller, type FoundKey } from "./authenticate.ts"

/** Cache of API keys in one server process. */
export interface KeyCache {
  /**
   * Like the use case `authenticate`, but a cached key costs no query. For a key that has not been valid here before,
   * `mayLookUp` runs before the query; if it returns false, the key is refused.
   */
  readonly authenticate: (
    presented: string,
    mayLookUp?: Effect.Effect<boolean>
  ) => Effect.Effect<Caller, KeyRefused | PlanTooLow | StoreError>
}

/** Creates the key cache of a server process, which lasts until the scope closes (`makeAccessCache`). */
export const makeKeyCache = Effect.fn("makeKeyCache")(function*() {
  const store = yield* ApiKeyStore
  const find = yield* makeAccessCache<FoundKey, StoreError>({
    find: store.findByHash,
    isUsable: ({ key }, at) => isUsable(key, at),
    idOf: ({ key }) => key.id,
    recordUse: ({ key, organization }, at) => store.recordUse(organization.id, key.id, at)
  })
  const cache: KeyCache = {
    authenticate: (presented, mayLookUp = Effect.succeed(true)) =>
      authenticateWith(presented, (hash) => find(hash, mayLookUp))
  }
  return cache
})
