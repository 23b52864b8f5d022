/** Share links as clients see them. */
import { type ShareLink, shareLinkState } from "../domain/sharing/ShareLink.ts"

/** A share link and its state at a time; never its token. */
export const shareLinkJson = (link: ShareLink, at: Date) => ({
  id: link.id,
  name: link.name,
  from: link.from?.toISOString() ?? null,
  to: link.to?.toISOString() ?? null,
  with_answers: link.withAnswers,
  state: shareLinkState(link, at),
  created_at: link.createdAt.toISOString(),
  expires_at: link.expiresAt.toISOString(),
  revoked_at: link.revokedAt?.toISOString() ?? null,
  last_used_at: link.lastUsedAt?.toISOString() ?? null
})
