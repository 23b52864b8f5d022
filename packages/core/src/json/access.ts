/** API keys as clients see them. */
import type { ApiKey } from "../domain/access/ApiKey.ts"
import type { OperatorEntry, OperatorKey } from "../domain/access/OperatorKey.ts"

/** An API key as lists show it, without the secret. */
export const apiKeyJson = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  last_four: key.lastFour,
  scopes: key.scopes,
  created_at: key.createdAt.toISOString(),
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  expires_at: key.expiresAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null
})

/** A key of the operator as lists show it, without the secret. */
export const operatorKeyJson = (key: OperatorKey) => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  last_four: key.lastFour,
  created_at: key.createdAt.toISOString(),
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  expires_at: key.expiresAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null
})

/** An entry of the operator's log. */
export const operatorEntryJson = ({ action, actor, at, detail, id, subjectId }: OperatorEntry) => ({
  id,
  at: at.toISOString(),
  actor: { kind: actor.kind, name: actor.name, id: actor.keyId },
  action,
  subject_id: subjectId,
  detail
})
