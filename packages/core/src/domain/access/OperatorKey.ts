/**
 * Keys of the operator. They give access to the routes about all organizations of a server, but never to an
 * organization's own routes. They have the format of API keys, with `sov_oper_` in place of `sov_live_`.
 */
import { Schema } from "effect"
import type { ActorKind } from "../audit/Actor.ts"
import type { AuditAction } from "../audit/auditActions.ts"
import { OperatorKeyId } from "../ids.ts"

/** The stored and displayed data of a key; the key itself is shown once and never stored. */
export const OperatorKey = Schema.Struct({
  id: OperatorKeyId,
  name: Schema.String,
  /** First 13 characters, to recognise the key by. */
  prefix: Schema.String,
  lastFour: Schema.String,
  createdAt: Schema.Date,
  expiresAt: Schema.NullOr(Schema.Date),
  revokedAt: Schema.NullOr(Schema.Date),
  lastUsedAt: Schema.NullOr(Schema.Date)
})
export type OperatorKey = typeof OperatorKey.Type

/** Actions on operator keys in the operator's log. */
export const operatorKeyActions = ["operator_key.created", "operator_key.revoked"] as const

/**
 * An entry of the operator's log: an action on a key of the operator, or an action with such a key on an organization.
 * `subjectId` is the id of the key or the organization. An entry about an organization has no other details, since it
 * outlives the organization.
 */
export interface OperatorEntry {
  readonly id: string
  readonly at: Date
  readonly actor: { readonly kind: ActorKind; readonly name: string; readonly keyId: OperatorKeyId | null }
  readonly action: (typeof operatorKeyActions)[number] | AuditAction
  readonly subjectId: string
  readonly detail: { readonly [member: string]: string | null }
}
