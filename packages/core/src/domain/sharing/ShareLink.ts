/** Links that show the report of a period to whoever has them, without signing in. */
import type { ShareLinkId } from "../ids.ts"

/** A share link; of its token only the hash is stored. */
export interface ShareLink {
  readonly id: ShareLinkId
  /** What the owner calls it, such as whom it was given to. */
  readonly name: string
  /** The first moment of the period; null = since the beginning. */
  readonly from: Date | null
  /** The last moment of the period; null = up to the newest scan when it is opened. */
  readonly to: Date | null
  /** Whether the report has the texts of the answers. */
  readonly withAnswers: boolean
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly revokedAt: Date | null
  /** When it was last opened, to the minute; null = never. */
  readonly lastUsedAt: Date | null
}

/** Days after which a link ends unless its maker says otherwise, and the most that may be said. */
export const defaultShareDays = 30
export const maxShareDays = 366

/** Most links of an organization that work at a time. */
export const maxShareLinks = 100

/** Longest name of a link, in UTF-16 code units. */
export const maxShareName = 200

export type ShareLinkState = "active" | "expired" | "revoked"

/** Whether a link works at a time, and why not. */
export const shareLinkState = ({ expiresAt, revokedAt }: ShareLink, at: Date): ShareLinkState =>
  revokedAt !== null ? "revoked" : expiresAt <= at ? "expired" : "active"
