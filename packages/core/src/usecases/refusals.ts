import type { KeywordId, ScanId } from "../domain/ids.ts"
import type { PlatformError } from "../ports/AnswerPlatform.ts"
import type { CellFailure } from "../ports/CellStore.ts"

/** So many different questions, and no answer among them: then it is the key or the request, not the question. */
const refusedQuestions = 5

interface Refused {
  readonly order: number
  readonly error: PlatformError
}

interface Standing {
  /** Order of the newest call that was answered. */
  readonly answered: number
  readonly refused: ReadonlyMap<KeywordId, Refused>
}

/**
 * Counts per scan on how many questions the platform refused key or request with no answer among the calls that began
 * after them. A wrong key must not be tried on every question; but a refusal comes faster than an answer, so calls
 * count in the order in which they began (`order` grows with each).
 */
export const makeRefusals = () => {
  const standings = new Map<ScanId, Standing>()
  return {
    /** Notes how a call ended. */
    note: (scanId: ScanId, keywordId: KeywordId, order: number, error: PlatformError | null): void => {
      const { answered, refused } = standings.get(scanId) ?? { answered: 0, refused: new Map<KeywordId, Refused>() }
      if (error === null) {
        // What was asked before it was refused for its own sake, and a request that is answered once is not wrong
        const left = [...refused].filter(([, one]) => one.order > order && one.error.reason !== "rejected")
        standings.set(scanId, { answered: Math.max(answered, order), refused: new Map(left) })
      } else if (error.reason === "auth" ? order > answered : error.reason === "rejected" && answered === 0) {
        standings.set(scanId, { answered, refused: new Map(refused).set(keywordId, { order, error }) })
      }
    },
    /** Why the rest of the scan need not be asked, if no call that is still in flight is answered; null = it may be. */
    of: (scanId: ScanId): CellFailure | null => {
      const refused = [...standings.get(scanId)?.refused.values() ?? []]
      if (refused.length < refusedQuestions) return null
      const { excerpt, message, reason, status } = refused.at(-1)!.error
      return { reason, message: `${message} (so for ${refusedQuestions} questions in a row)`, excerpt, status }
    },
    /** The scan has an answer of earlier: its requests are not wrong. */
    absolve: (scanId: ScanId): void => {
      standings.set(scanId, { answered: 1, refused: new Map() })
    },
    /** Forgets every other scan. */
    keep: (scans: ReadonlySet<ScanId>): void => {
      for (const scanId of standings.keys()) if (!scans.has(scanId)) standings.delete(scanId)
    }
  }
}
