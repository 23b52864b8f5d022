import { Effect } from "effect"
import type { OrganizationId, ShareLinkId } from "../../domain/ids.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { ShareLinkStore } from "../../ports/ShareLinkStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { NotFound } from "../errors.ts"
import { now } from "../now.ts"

/** Revokes a share link permanently, so that every later visit is refused. Returns the link. Fails with NotFound. */
export const revokeShareLink = Effect.fn("revokeShareLink")(function*(organizationId: OrganizationId, id: ShareLinkId) {
  const store = yield* ShareLinkStore
  const at = yield* now
  const revoke = Effect.gen(function*() {
    // If two calls are concurrent, the second one finds the link already revoked
    yield* (yield* OrganizationStore).lock(organizationId)
    const before = (yield* store.list(organizationId)).find((link) => link.id === id)
    const link = yield* store.revoke(organizationId, id, at)
    if (before === undefined || link === null) return yield* new NotFound({ what: "share link", id })
    return { link, wasRevoked: before.revokedAt !== null }
  })
  const { link } = yield* runActs(
    organizationId,
    revoke,
    ({ link: { name }, wasRevoked }) =>
      wasRevoked ? [] : [{ action: "share_link.revoked", subjectId: id, detail: { name } }]
  )
  return link
})
