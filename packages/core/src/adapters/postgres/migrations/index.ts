/** All migrations by number: append-only, a released one is never edited. */
import foundation from "./0001_foundation.ts"
import sentimentBy from "./0004_sentiment_by.ts"

export const migrations = {
  "0001_foundation": foundation,
  "0004_sentiment_by": sentimentBy
}
