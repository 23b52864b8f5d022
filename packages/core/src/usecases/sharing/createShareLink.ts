import { Duration, Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { type OrganizationId, ShareLinkId } from "../../domain/ids.ts"
import { Name } from "../../domain/organizations/Organization.ts"
import { formatRandomToken, hashRandomToken, randomTokenBytes } from "../../domain/randomToken.ts"
import {
  defaultShareDays,
  maxShareDays,
  maxShareLinks,
  maxShareName,
  type ShareLink,
  shareLinkState
} from "../../domain/sharing/ShareLink.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { ShareLinkStore } from "../../ports/ShareLinkStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { NotFound, Rejected } from "../errors.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"

/** The content and lifetime of a new share link. */
export interface ShareLinkOptions {
  readonly name: string
  readonly from?: Date | null
  readonly to?: Date | null
  /**
   * Whether the report includes the texts of answers; false by default. Without them, it contains only figures and
   * shows in which answers a name occurs.
   */
  readonly withAnswers?: boolean
  /** Days until the link ends; `defaultShareDays` by default. */
  readonly days?: number
}

const isName = Schema.is(Name)

const checkOptions = ({ days = defaultShareDays, from, name, to }: ShareLinkOptions): Rejected | null => {
  if (!isName(name.trim()) || name.length > maxShareName) {
    const message = `a link needs a name of at most ${maxShareName} characters without control characters`
    return new Rejected({ field: "name", message })
  }
  if (!Number.isInteger(days) || days < 1 || days > maxShareDays) {
    return new Rejected({ field: "days", message: `a link works for 1 to ${maxShareDays} days` })
  }
  return from != null && to != null && from > to
    ? new Rejected({ field: "to", message: "the period must end after it begins" })
    : null
}

/**
 * Creates a link that shows the report of a period to anyone who has the link. `token` is shown once: only its hash is
 * stored. Fails with NotFound for an unknown organization, and with Rejected for an invalid name, period or lifetime,
 * or if there are already `maxShareLinks` active links.
 */
export const createShareLink = Effect.fn("createShareLink")(
  function*(organizationId: OrganizationId, options: ShareLinkOptions) {
    const rejected = checkOptions(options)
    if (rejected !== null) return yield* rejected
    const store = yield* ShareLinkStore
    const organizations = yield* OrganizationStore
    if ((yield* organizations.find(organizationId)) === null) {
      return yield* new NotFound({ what: "organization", id: organizationId })
    }
    const createdAt = yield* now
    const random = yield* SecureRandom.SecureRandom
    const token = formatRandomToken(yield* random.randomBytes(randomTokenBytes))
    const { days = defaultShareDays, from = null, name, to = null, withAnswers = false } = options
    const link: ShareLink = {
      id: yield* newId(ShareLinkId),
      name: name.trim(),
      from,
      to,
      withAnswers,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + Duration.toMillis(Duration.days(days))),
      revokedAt: null,
      lastUsedAt: null
    }
    const insert = Effect.gen(function*() {
      // Without a lock, two concurrent calls could exceed the maximum
      yield* organizations.lock(organizationId)
      const working = (yield* store.list(organizationId)).filter((one) => shareLinkState(one, createdAt) === "active")
      if (working.length >= maxShareLinks) {
        return yield* new Rejected({
          field: "name",
          message: `there are ${maxShareLinks} share links that work, as many as there may be; revoke one first`
        })
      }
      yield* store.insert(organizationId, link, hashRandomToken(token))
      return { link, token }
    })
    return yield* runActs(
      organizationId,
      insert,
      () => [{
        action: "share_link.created",
        subjectId: link.id,
        detail: {
          name: link.name,
          from: from?.toISOString() ?? null,
          to: to?.toISOString() ?? null,
          with_answers: withAnswers,
          expires_at: link.expiresAt.toISOString()
        }
      }]
    )
  }
)
