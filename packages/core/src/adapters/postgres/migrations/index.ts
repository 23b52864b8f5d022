/** All migrations by number: append-only, a released one is never edited. */
import foundation from "./0001_foundation.ts"
import worker from "./0003_worker.ts"

export const migrations = {
  "0001_foundation": foundation,
  "0003_worker": worker
}
