import { Context } from "effect"
import type { AuditEntryId } from "../../domain/ids.ts"

/** The id of the form that requests the acts that follow, used for its audit entry; null if there is no form. */
export const FormId = Context.Reference<AuditEntryId | null>("@sov/core/usecases/audit/FormId", {
  defaultValue: () => null
})
