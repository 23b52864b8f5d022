import { Context } from "effect"
import type { AuditEntryId } from "../../domain/ids.ts"

/** The id of the form that requests the following acts, used for its audit entry. Null = no form. */
export const FormId = Context.Reference<AuditEntryId | null>("@sov/core/usecases/audit/FormId", {
  defaultValue: () => null
})
