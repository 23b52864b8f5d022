import { AuditEntryId } from "../../domain/ids.ts"
import { newId } from "../newId.ts"

/** Creates the id of a form. A form acts only once, however often it is sent (`runOnce`). */
export const makeFormId = newId(AuditEntryId)
