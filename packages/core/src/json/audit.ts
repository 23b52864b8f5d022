/** The audit log as clients see it. */
import type { AuditEntry } from "../domain/audit/AuditEntry.ts"

/** An entry. `actor.id` is the id of a person or an API key; null for other actors. */
export const auditEntryJson = ({ action, actor, at, detail, id, subject }: AuditEntry) => ({
  id,
  at: at.toISOString(),
  actor: { kind: actor.kind, name: actor.name, id: actor.personId ?? actor.keyId ?? null },
  action,
  subject,
  detail
})
