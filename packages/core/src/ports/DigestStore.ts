/**
 * DigestStore stores whether an organization receives a weekly digest, who unsubscribed from it, and which digests were
 * queued.
 */
import { Context, type Effect } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import type { DigestSetting } from "../domain/mail/digest.ts"
import type { EmailAddress } from "../domain/mail/EmailAddress.ts"
import type { Mail } from "../domain/mail/Mail.ts"
import type { DueOrganization } from "./ScheduleStore.ts"
import type { StoreError } from "./StoreError.ts"

export class DigestStore extends Context.Service<DigestStore, {
  /** The setting; null if it was never set. */
  readonly find: (organizationId: OrganizationId) => Effect.Effect<DigestSetting | null, StoreError>
  /** Reads the setting and locks its row until the transaction ends. */
  readonly lock: (organizationId: OrganizationId) => Effect.Effect<DigestSetting | null, StoreError>
  readonly save: (organizationId: OrganizationId, setting: DigestSetting) => Effect.Effect<void, StoreError>
  /** Organizations whose digest is due at `until` or earlier, longest due first. */
  readonly listDue: (until: Date) => Effect.Effect<ReadonlyArray<DueOrganization>, StoreError>
  /**
   * Queues the digest of a week (identified by its last day, `2026-11-23`), due at once, for each recipient who is not
   * flagged, has not unsubscribed, and has no digest of that week yet. Joins the caller's transaction. Returns the
   * number of queued digests.
   */
  readonly enqueue: (
    organizationId: OrganizationId,
    week: string,
    mail: Omit<Mail, "to">
  ) => Effect.Effect<number, StoreError>
  /**
   * Stops digests for this recipient; false if there is no such recipient. If digests were already stopped, the earlier
   * time is kept.
   */
  readonly unsubscribe: (
    organizationId: OrganizationId,
    address: EmailAddress,
    at: Date
  ) => Effect.Effect<boolean, StoreError>
}>()("@sov/core/ports/DigestStore") {}
