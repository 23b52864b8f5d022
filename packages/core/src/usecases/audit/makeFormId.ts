import { AuditEntryId } from "../../domain/ids.ts"
import { newId } from "../newId.ts"

/** Makes the id of a form, which acts once however often it is sent (`runOnce`). */
export const makeFormId = newId(AuditEntryId)
