/**
 * Keys of the operator: they open what concerns all organizations of a server, and never an organization's own routes.
 * Written as an API key, with `sov_oper_` in place of `sov_live_`.
 */
import { Schema } from "effect"
import type { ActorKind } from "../audit/Actor.ts"
import type { AuditAction } from "../audit/auditActions.ts"
import { OperatorKeyId } from "../ids.ts"

/** What is stored and shown of a key; the key itself is shown once and never stored. */
export const OperatorKey = Schema.Struct({
  id: OperatorKeyId,
  name: Schema.String,
  /** First 13 characters, for recognising it. */
  prefix: Schema.String,
  lastFour: Schema.String,
  createdAt: Schema.Date,
  expiresAt: Schema.NullOr(Schema.Date),
  revokedAt: Schema.NullOr(Schema.Date),
  lastUsedAt: Schema.NullOr(Schema.Date)
})
export type OperatorKey = typeof OperatorKey.Type

/** What the operator's log tells of keys. */
export const operatorKeyActions = ["operator_key.created", "operator_key.revoked"] as const

/**
 * An entry of the operator's log: what was done to a key of the operator, and what one of these did to an organization.
 * `subjectId` is the key's or the organization's; an organization's entry has no more, since it outlives what it is of.
 */
export interface OperatorEntry {
  readonly id: string
  readonly at: Date
  readonly actor: { readonly kind: ActorKind; readonly name: string; readonly keyId: OperatorKeyId | null }
  readonly action: (typeof operatorKeyActions)[number] | AuditAction
  readonly subjectId: string
  readonly detail: { readonly [member: string]: string | null }
}
