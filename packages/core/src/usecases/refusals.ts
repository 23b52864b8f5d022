import type { KeywordId, ScanId } from "../domain/ids.ts"
import type { PlatformError } from "../ports/AnswerPlatform.ts"
import type { CellFailure } from "../ports/CellStore.ts"

/** So many different questions, one after the other: then it is the key or the request, not the question. */
const refusedQuestions = 5

/**
 * Counts per scan on how many questions in a row the platform refused key or request. A wrong key must not be tried on
 * every question.
 */
export const makeRefusals = () => {
  const inARow = new Map<ScanId, Set<KeywordId>>()
  return {
    /** Notes how a call ended. Gives why the rest of the scan need not be asked, once that is clear. */
    note: (scanId: ScanId, keywordId: KeywordId, error: PlatformError | null): CellFailure | null => {
      if (error === null) {
        inARow.delete(scanId)
        return null
      }
      if (error.reason !== "auth" && error.reason !== "rejected") return null
      const refused = (inARow.get(scanId) ?? new Set()).add(keywordId)
      inARow.set(scanId, refused)
      if (refused.size < refusedQuestions) return null
      const { excerpt, message, reason, status } = error
      return { reason, message: `${message} (so for ${refusedQuestions} questions in a row)`, excerpt, status }
    },
    /** Forgets every other scan. */
    keep: (scans: ReadonlySet<ScanId>): void => {
      for (const scanId of inARow.keys()) if (!scans.has(scanId)) inARow.delete(scanId)
    }
  }
}
