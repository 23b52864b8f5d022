/** MailStore stores who receives an organization's e-mails, and each e-mail until it is sent or given up. */
import { Context, type Effect } from "effect"
import type { EventId, OrganizationId } from "../domain/ids.ts"
import type { EmailAddress } from "../domain/mail/EmailAddress.ts"
import type { Mail, MailState, Recipient } from "../domain/mail/Mail.ts"
import type { StoreError } from "./StoreError.ts"

/** An e-mail that its claimer must send or give up; no other process can claim it before its next attempt is due. */
export interface ClaimedMail extends Mail {
  readonly organizationId: OrganizationId
  /** Number of attempts, including this one. */
  readonly tries: number
  /** Whether it is a digest. */
  readonly digest: boolean
}

/** The sending state of an e-mail. */
export interface MailStatus {
  readonly id: EventId
  readonly to: EmailAddress
  readonly state: MailState
  readonly tries: number
  /** Why the last attempt failed; null if no attempt failed. */
  readonly message: string | null
  /** When the e-mail was sent, given up or dropped; null while it is queued. */
  readonly endedAt: Date | null
}

/** The e-mails of all organizations, counted by state. */
export interface MailQueue {
  readonly queued: number
  /** Number of e-mails that were given up since the requested time. */
  readonly failed: number
  /** Why the newest failed attempt failed. */
  readonly lastFailure: string | null
  readonly flagged: number
}

type MailKey = Pick<ClaimedMail, "organizationId" | "id" | "to">

export class MailStore extends Context.Service<MailStore, {
  /** All recipients, by address. */
  readonly listRecipients: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<Recipient>, StoreError>
  /** Replaces the recipients and clears all flags. A recipient who remains stays unsubscribed from digests. */
  readonly setRecipients: (
    organizationId: OrganizationId,
    addresses: ReadonlyArray<EmailAddress>,
    at: Date
  ) => Effect.Effect<void, StoreError>
  /**
   * Queues the e-mail, due at once, for each recipient who is not flagged. Joins the caller's transaction. An existing
   * e-mail with the same id and address is left unchanged.
   */
  readonly enqueue: (organizationId: OrganizationId, mail: Omit<Mail, "to">) => Effect.Effect<void, StoreError>
  /** The organizations that have due e-mails, oldest first. */
  readonly listOrganizationsWithDueMail: (now: Date) => Effect.Effect<ReadonlyArray<OrganizationId>, StoreError>
  /**
   * Claims up to `limit` due e-mails of the organization, longest due first; each counts as tried. Drops due e-mails to
   * addresses that are flagged or no longer recipients, and digests to recipients who unsubscribed.
   */
  readonly claim: (
    organizationId: OrganizationId,
    now: Date,
    limit: number
  ) => Effect.Effect<ReadonlyArray<ClaimedMail>, StoreError>
  /** Whether an e-mail is due that was never tried. */
  readonly hasUnattempted: (now: Date) => Effect.Effect<boolean, StoreError>
  readonly markSent: (mail: MailKey, at: Date) => Effect.Effect<void, StoreError>
  /** Records why the attempt failed; with `givenUpAt`, there is no further attempt. */
  readonly markFailed: (mail: MailKey, message: string, givenUpAt: Date | null) => Effect.Effect<void, StoreError>
  /** Flags the recipient because the mail server has no such mailbox. */
  readonly flag: (
    organizationId: OrganizationId,
    address: EmailAddress,
    reason: string,
    at: Date
  ) => Effect.Effect<void, StoreError>
  /** The states of the e-mails with these ids, sorted by id and address. */
  readonly listStatuses: (
    organizationId: OrganizationId,
    ids: ReadonlyArray<EventId>
  ) => Effect.Effect<ReadonlyArray<MailStatus>, StoreError>
  /** The state of sending over all organizations; failures are counted since `since`. */
  readonly queue: (since: Date) => Effect.Effect<MailQueue, StoreError>
}>()("@sov/core/ports/MailStore") {}
