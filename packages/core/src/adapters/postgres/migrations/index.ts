/** All migrations by number: append-only, a released one is never edited. */
import foundation from "./0001_foundation.ts"
import scoreUncertainty from "./0005_score_uncertainty.ts"

export const migrations = {
  "0001_foundation": foundation,
  "0005_score_uncertainty": scoreUncertainty
}
