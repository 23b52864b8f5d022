import { Context } from "effect"
import { AuditEntryId } from "../../domain/ids.ts"
import { newId } from "../newId.ts"

/** The id of the form that requests the acts that follow, used for its audit entry; null if there is no form. */
export const FormId = Context.Reference<AuditEntryId | null>("@sov/core/usecases/audit/FormId", {
  defaultValue: () => null
})

/** Creates the id of a form. A form acts only once, however often it is sent (`runOnce`). */
export const makeFormId = newId(AuditEntryId)
