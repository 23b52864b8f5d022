/** The audit log: who changed an organization's data, what was changed, and when. */
import { Schema } from "effect"
import type { AuditEntryId } from "../ids.ts"
import type { Actor } from "./Actor.ts"
import { type AuditAction, auditActions, type AuditDetail, type SubjectKind } from "./auditActions.ts"

/** An action, its subject, and the details to store. */
export type Act = {
  [A in AuditAction]: { readonly action: A; readonly subjectId: string; readonly detail: AuditDetail<A> }
}[AuditAction]

/** An act as it is stored, permanently and unchangeably. */
export interface AuditEntry {
  readonly id: AuditEntryId
  readonly at: Date
  readonly actor: Actor
  readonly action: AuditAction
  readonly subject: { readonly kind: SubjectKind; readonly id: string }
  /** Exactly the members that `auditActions` lists for the action. */
  readonly detail: { readonly [member: string]: unknown }
}

/** Makes the entry of an act. Keeps only the details that `auditActions` lists for the action. */
export const makeAuditEntry = (id: AuditEntryId, at: Date, actor: Actor, act: Act): AuditEntry => {
  const { detail, subject } = auditActions[act.action]
  const encode = Schema.encodeSync(detail as Schema.Codec<unknown, { readonly [member: string]: unknown }>)
  return {
    id,
    at,
    actor,
    action: act.action,
    subject: { kind: subject, id: act.subjectId },
    detail: encode(act.detail)
  }
}
