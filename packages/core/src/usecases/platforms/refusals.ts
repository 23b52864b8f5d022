import type { KeywordId, ScanId } from "../../domain/ids.ts"
import type { PlatformError } from "../../ports/AnswerPlatform.ts"
import type { CellFailure } from "../../ports/CellStore.ts"

/** So many different questions, one after the other: then it is the key or the request, not the question. */
const refusedQuestions = 5

interface Standing {
  /** Whether any question of the scan was answered. */
  readonly answered: boolean
  readonly refused: ReadonlyMap<KeywordId, PlatformError>
}

/**
 * Counts per scan on how many questions in a row the platform refused key or request. A wrong key must not be tried on
 * every question; but a refusal comes faster than an answer, so whoever decides waits for the calls in flight.
 */
export const makeRefusals = () => {
  const standings = new Map<ScanId, Standing>()
  const none: Standing = { answered: false, refused: new Map() }
  return {
    /** Notes how a call ended. */
    note: (scanId: ScanId, keywordId: KeywordId, error: PlatformError | null): void => {
      const { answered, refused } = standings.get(scanId) ?? none
      if (error === null) standings.set(scanId, { ...none, answered: true })
      // A request that is answered once is not wrong: then it is the question
      else if (error.reason === "auth" || (error.reason === "rejected" && !answered)) {
        standings.set(scanId, { answered, refused: new Map(refused).set(keywordId, error) })
      }
    },
    /** Why the rest of the scan need not be asked, if no call that is in flight is answered; null = it may be. */
    of: (scanId: ScanId): CellFailure | null => {
      const refused = [...standings.get(scanId)?.refused.values() ?? []]
      if (refused.length < refusedQuestions) return null
      const { excerpt, message, reason, status } = refused.at(-1)!
      return { reason, message: `${message} (so for ${refusedQuestions} questions in a row)`, excerpt, status }
    },
    /** The scan has an answer of earlier: its requests are not wrong. */
    absolve: (scanId: ScanId): void => {
      standings.set(scanId, { ...none, answered: true })
    },
    /** Forgets every other scan. */
    keep: (scans: ReadonlySet<ScanId>): void => {
      for (const scanId of standings.keys()) if (!scans.has(scanId)) standings.delete(scanId)
    }
  }
}
