import { AuditEntryId } from "../../domain/ids.ts"
import { newId } from "../newId.ts"

/** Makes the id that a form carries, so that it acts once however often it is sent (`runOnce`). */
export const makeFormId = newId(AuditEntryId)
