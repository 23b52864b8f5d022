import { Effect } from "effect"
import type { ApiKey } from "../../domain/access/ApiKey.ts"
import type { Actor } from "../../domain/audit/Actor.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { ApiKeyStore } from "../../ports/ApiKeyStore.ts"
import { AuditLog } from "../../ports/AuditLog.ts"

/**
 * A key with the person or key that created it or rolled the previous one; null if the key is older than the audit log.
 */
export interface KeyWithMaker {
  readonly key: ApiKey
  readonly maker: Actor | null
}

/** All API keys of the organization in the order of `listApiKeys`, each with its maker. */
export const listKeysWithMakers = Effect.fn("listKeysWithMakers")(function*(organizationId: OrganizationId) {
  const keys = yield* (yield* ApiKeyStore).list(organizationId)
  const entries = yield* (yield* AuditLog).ofSubjects(organizationId, "key", keys.map(({ id }) => id))
  const makers = new Map(
    entries.flatMap(({ action, actor, detail, subject }): ReadonlyArray<readonly [unknown, Actor]> =>
      action === "key.created"
        ? [[subject.id, actor]]
        : action === "key.rolled"
        ? [[detail["replaced_by"], actor]]
        : []
    )
  )
  return keys.map((key): KeyWithMaker => ({ key, maker: makers.get(key.id) ?? null }))
})
