import { Context, type Effect } from "effect"
import type { OrganizationId, ShareLinkId } from "../domain/ids.ts"
import type { Organization } from "../domain/organizations/Organization.ts"
import type { ShareLink } from "../domain/sharing/ShareLink.ts"
import type { StoreError } from "./StoreError.ts"

/** ShareLinkStore stores share links with the hashes of their tokens, never the tokens. */
export class ShareLinkStore extends Context.Service<ShareLinkStore, {
  /** Adds a link; `hash` is the sha256 of its token. */
  readonly insert: (
    organizationId: OrganizationId,
    link: ShareLink,
    hash: Uint8Array
  ) => Effect.Effect<void, StoreError>
  /** All links including ended ones, newest first. */
  readonly list: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<ShareLink>, StoreError>
  /**
   * Revokes the link permanently. Returns its current state (an earlier revocation keeps its time); null if there is no
   * such link.
   */
  readonly revoke: (
    organizationId: OrganizationId,
    id: ShareLinkId,
    at: Date
  ) => Effect.Effect<ShareLink | null, StoreError>
  /** The link and its organization; null if unknown. The caller checks revocation and expiry. */
  readonly findByHash: (
    hash: Uint8Array
  ) => Effect.Effect<{ readonly organization: Organization; readonly link: ShareLink } | null, StoreError>
  /** Records that the link was opened at `at`, unless the last record is less than a minute older. */
  readonly recordUse: (organizationId: OrganizationId, id: ShareLinkId, at: Date) => Effect.Effect<void, StoreError>
}>()("@sov/core/ports/ShareLinkStore") {}
