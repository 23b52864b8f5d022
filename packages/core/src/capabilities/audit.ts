/** The audit log: actors, actions and entries. */

export * from "../domain/audit/Actor.ts"
export * from "../domain/audit/auditActions.ts"
export * from "../domain/audit/AuditEntry.ts"
export { formatAuditDetail } from "../domain/audit/formatAuditDetail.ts"

export * from "../json/audit.ts"

export * from "../ports/AuditLog.ts"

export { Actor as CurrentActor, actorOfCaller, actorOfOperator } from "../usecases/audit/Actor.ts"
export { makeFormId } from "../usecases/audit/FormId.ts"
export * from "../usecases/audit/readAuditLog.ts"
export * from "../usecases/audit/runOnce.ts"
