import { Context, type Effect } from "effect"
import type { OrganizationId, ShareLinkId } from "../domain/ids.ts"
import type { Organization } from "../domain/organizations/Organization.ts"
import type { ShareLink } from "../domain/sharing/ShareLink.ts"
import type { StoreError } from "./StoreError.ts"

/** ShareLinkStore stores share links with the hashes of their tokens, never the tokens. */
export class ShareLinkStore extends Context.Service<ShareLinkStore, {
  /** `hash` = sha256 of the token. */
  readonly insert: (
    organizationId: OrganizationId,
    link: ShareLink,
    hash: Uint8Array
  ) => Effect.Effect<void, StoreError>
  /** All links, ended ones too, newest first. */
  readonly list: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<ShareLink>, StoreError>
  /** Revokes permanently. Returns the current link (an earlier revocation keeps its time), null if absent. */
  readonly revoke: (
    organizationId: OrganizationId,
    id: ShareLinkId,
    at: Date
  ) => Effect.Effect<ShareLink | null, StoreError>
  /** The link and its organization; null when unknown. The caller checks revocation and expiry. */
  readonly findByHash: (
    hash: Uint8Array
  ) => Effect.Effect<{ readonly organization: Organization; readonly link: ShareLink } | null, StoreError>
  /** Records that the link was opened at `at`; writes nothing within a minute of the last time. */
  readonly recordUse: (organizationId: OrganizationId, id: ShareLinkId, at: Date) => Effect.Effect<void, StoreError>
}>()("@sov/core/ports/ShareLinkStore") {}
