/** Links that show the report of a period to anyone who has the link, without signing in. */
import { Schema } from "effect"
import { ShareLinkId } from "../ids.ts"

/** A share link; only the hash of its token is stored. */
export const ShareLink = Schema.Struct({
  id: ShareLinkId,
  /** The owner's name for it, such as the person it was given to. */
  name: Schema.String,
  /** The first moment of the period; null: since the beginning. */
  from: Schema.NullOr(Schema.Date),
  /** The last moment of the period; null: up to the newest scan at the time of opening. */
  to: Schema.NullOr(Schema.Date),
  /** Whether the report includes the texts of the answers. */
  withAnswers: Schema.Boolean,
  createdAt: Schema.Date,
  expiresAt: Schema.Date,
  revokedAt: Schema.NullOr(Schema.Date),
  /** When the link was last opened, to the minute; null if never. */
  lastUsedAt: Schema.NullOr(Schema.Date)
})
export type ShareLink = typeof ShareLink.Type

/** Default lifetime of a link in days (at most `maxShareDays`). */
export const defaultShareDays = 30
export const maxShareDays = 366

/** Maximum number of active links of an organization. */
export const maxShareLinks = 100

/** Maximum length of a link's name, in UTF-16 code units. */
export const maxShareName = 200

export type ShareLinkState = "active" | "expired" | "revoked"

/** The state of a link at a time: whether it works, or why not. */
export const shareLinkState = ({ expiresAt, revokedAt }: ShareLink, at: Date): ShareLinkState =>
  revokedAt !== null ? "revoked" : expiresAt <= at ? "expired" : "active"
