import { Context } from "effect"
import type { AuditEntryId } from "../../domain/ids.ts"

/** The id of the form that asks for what follows: its entry in the audit log gets it. Null = no form does. */
export const FormId = Context.Reference<AuditEntryId | null>("@sov/core/usecases/audit/FormId", {
  defaultValue: () => null
})
