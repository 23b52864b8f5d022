/** MailStore keeps who gets an organization's e-mails, and each e-mail until it is sent or given up. */
import { Context, type Effect } from "effect"
import type { EventId, OrganizationId } from "../domain/ids.ts"
import type { EmailAddress } from "../domain/mail/EmailAddress.ts"
import type { Mail, MailState, Recipient } from "../domain/mail/Mail.ts"
import type { StoreError } from "./StoreError.ts"

/** An e-mail that its claimer must send or give up; nobody else gets it before its next try is due. */
export interface ClaimedMail extends Mail {
  readonly organizationId: OrganizationId
  /** Tries so far, with this one. */
  readonly tries: number
  /** It is a digest. */
  readonly digest: boolean
}

/** How an e-mail stands. */
export interface MailStatus {
  readonly id: EventId
  readonly to: EmailAddress
  readonly state: MailState
  readonly tries: number
  /** Why the last try failed; null when none did. */
  readonly message: string | null
  /** When it was sent, given up or dropped; null while it is queued. */
  readonly endedAt: Date | null
}

/** E-mails of all organizations, by what they wait for. */
export interface MailQueue {
  readonly queued: number
  /** Given up within the time asked for. */
  readonly failed: number
  /** Why the newest failed try failed. */
  readonly lastFailure: string | null
  readonly flagged: number
}

type MailKey = Pick<ClaimedMail, "organizationId" | "id" | "to">

export class MailStore extends Context.Service<MailStore, {
  /** By address. */
  readonly listRecipients: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<Recipient>, StoreError>
  /** Replaces the recipients; none of them is flagged then. Who stays, stays unsubscribed from digests. */
  readonly setRecipients: (
    organizationId: OrganizationId,
    addresses: ReadonlyArray<EmailAddress>,
    at: Date
  ) => Effect.Effect<void, StoreError>
  /**
   * Queues the e-mail, due at once, for each recipient who is not flagged. Joins the caller's transaction. One of the
   * same id to the same address that is there already is left as it is.
   */
  readonly enqueue: (organizationId: OrganizationId, mail: Omit<Mail, "to">) => Effect.Effect<void, StoreError>
  /** The organizations that have e-mails which are due, the oldest first. */
  readonly listOrganizationsWithDueMail: (now: Date) => Effect.Effect<ReadonlyArray<OrganizationId>, StoreError>
  /**
   * Takes up to `limit` of the organization's e-mails that are due, the longest due first; each counts as tried. Drops
   * those that are due to addresses which are no recipients any more, or are flagged, and digests to those
   * unsubscribed.
   */
  readonly claim: (
    organizationId: OrganizationId,
    now: Date,
    limit: number
  ) => Effect.Effect<ReadonlyArray<ClaimedMail>, StoreError>
  /** Whether any that was never tried is due. */
  readonly hasUnattempted: (now: Date) => Effect.Effect<boolean, StoreError>
  readonly markSent: (mail: MailKey, at: Date) => Effect.Effect<void, StoreError>
  /** Notes why the try failed; with `givenUpAt` it is the last one. */
  readonly markFailed: (mail: MailKey, message: string, givenUpAt: Date | null) => Effect.Effect<void, StoreError>
  /** Flags the recipient: the mail server has no such mailbox. */
  readonly flag: (
    organizationId: OrganizationId,
    address: EmailAddress,
    reason: string,
    at: Date
  ) => Effect.Effect<void, StoreError>
  /** How the e-mails of these ids stand, by id and address. */
  readonly listStatuses: (
    organizationId: OrganizationId,
    ids: ReadonlyArray<EventId>
  ) => Effect.Effect<ReadonlyArray<MailStatus>, StoreError>
  /** How sending goes, over all organizations; failures since then. */
  readonly queue: (since: Date) => Effect.Effect<MailQueue, StoreError>
}>()("@sov/core/ports/MailStore") {}
