import { Context, type Effect } from "effect"
import type { ApiKey } from "../domain/access/ApiKey.ts"
import type { ApiKeyId, OrganizationId } from "../domain/ids.ts"
import type { Organization } from "../domain/organizations/Organization.ts"
import type { StoreError } from "./StoreError.ts"

/** ApiKeyStore stores the hashes of API keys, never the keys. */
export class ApiKeyStore extends Context.Service<ApiKeyStore, {
  /** Adds a key; `hash` is the sha256 of the key. */
  readonly insert: (
    organizationId: OrganizationId,
    key: ApiKey,
    hash: Uint8Array
  ) => Effect.Effect<void, StoreError>
  /** All keys including revoked ones, newest first. */
  readonly list: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<ApiKey>, StoreError>
  /**
   * Revokes the key permanently. Returns its current state (an earlier revocation keeps its time); null if there is no
   * such key.
   */
  readonly revoke: (organizationId: OrganizationId, id: ApiKeyId, at: Date) => Effect.Effect<ApiKey | null, StoreError>
  /**
   * Marks a key that is neither revoked nor rolled as rolled: it expires at `expiresAt`, or at its own expiry if that
   * is earlier. Returns the current key; null if there is no such key.
   */
  readonly roll: (
    organizationId: OrganizationId,
    id: ApiKeyId,
    expiresAt: Date
  ) => Effect.Effect<ApiKey | null, StoreError>
  /** The key and its owner; null if unknown. The caller checks revocation and expiry. */
  readonly findByHash: (
    hash: Uint8Array
  ) => Effect.Effect<{ readonly organization: Organization; readonly key: ApiKey } | null, StoreError>
  /** Records that the key was used at `at`. */
  readonly recordUse: (organizationId: OrganizationId, id: ApiKeyId, at: Date) => Effect.Effect<void, StoreError>
}>()("@sov/core/ports/ApiKeyStore") {}
