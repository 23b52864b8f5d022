/** Unsubscribes a recipient from digests through the link in an e-mail, without an account. */
import { Effect } from "effect"
import { isTokenOf, organizationOfToken } from "../../domain/mail/unsubscribeToken.ts"
import { DigestStore } from "../../ports/DigestStore.ts"
import { InstanceStore } from "../../ports/InstanceStore.ts"
import { MailStore } from "../../ports/MailStore.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { LinkRefused } from "../errors.ts"
import { now } from "../now.ts"

/**
 * Finds the recipient and the organization of an unsubscribe link. Changes nothing, because mail scanners fetch every
 * link. Fails with LinkRefused, also for a former recipient.
 */
export const readUnsubscribeLink = Effect.fn("readUnsubscribeLink")(function*(token: string) {
  const organizationId = organizationOfToken(token)
  if (organizationId === null) return yield* new LinkRefused()
  const key = yield* (yield* InstanceStore).firstCursorKey
  const recipients = yield* (yield* MailStore).listRecipients(organizationId)
  const recipient = recipients.find(({ address }) => isTokenOf(token, key, organizationId, address))
  const organization = yield* (yield* OrganizationStore).find(organizationId)
  if (recipient === undefined || organization === null) return yield* new LinkRefused()
  return { organization, address: recipient.address, unsubscribedAt: recipient.digestOffAt }
})

/** Unsubscribes the recipient of the link from digests; a second call changes nothing. Fails with LinkRefused. */
export const unsubscribe = Effect.fn("unsubscribe")(function*(token: string) {
  const store = yield* DigestStore
  // Recipients that are replaced concurrently get new rows, which the second pass finds
  for (let tries = 0; tries < 2; tries++) {
    const { address, organization, unsubscribedAt } = yield* readUnsubscribeLink(token)
    if (unsubscribedAt !== null || (yield* store.unsubscribe(organization.id, address, yield* now))) {
      return { address, organization }
    }
  }
  return yield* new LinkRefused()
})
