import type { KeywordId, ScanId } from "../../domain/ids.ts"
import type { PlatformError } from "../../ports/AnswerPlatform.ts"
import type { CellFailure } from "../../ports/CellStore.ts"

/** Refusals of so many different questions in a row are due to the key or the request, not to a question. */
const maxRefusedQuestions = 5

interface ScanRefusals {
  /** Whether any question of the scan was answered. */
  readonly answered: boolean
  readonly refused: ReadonlyMap<KeywordId, PlatformError>
  /** The last call that found API or model gone. */
  readonly ended: PlatformError | null
}

/** Whether the error alone proves it: a 404 may also be a server's mistake, if there have been answers before. */
const isProof = ({ status }: PlatformError): boolean => status !== 404

/**
 * Counts per scan for how many questions in a row the platform refused key or request. A wrong key must not be tried on
 * every question; but a refusal comes faster than an answer, so the caller decides when no call is in flight. One reply
 * that API or model have ended is enough.
 */
export const makeRefusals = () => {
  const scans = new Map<ScanId, ScanRefusals>()
  const none: ScanRefusals = { answered: false, refused: new Map(), ended: null }
  return {
    /** Records how a call ended. */
    record: (scanId: ScanId, keywordId: KeywordId, error: PlatformError | null): void => {
      const { answered, ended, refused } = scans.get(scanId) ?? none
      if (error === null) scans.set(scanId, { ...none, answered: true })
      // A request that is answered once is not wrong: then it is the question
      else if (error.reason === "auth" || (error.reason === "rejected" && !answered)) {
        scans.set(scanId, { answered, ended, refused: new Map(refused).set(keywordId, error) })
      } else if (error.reason === "ended" && (!answered || isProof(error))) {
        scans.set(scanId, { answered, refused, ended: error })
      }
    },
    /** Why the rest of the scan is not to be asked, unless a call in flight is answered; null = it is to be asked. */
    giveUpReason: (scanId: ScanId): CellFailure | null => {
      const { ended, refused: byQuestion } = scans.get(scanId) ?? none
      if (ended !== null) {
        const { excerpt, message, reason, status } = ended
        return { reason, message, excerpt, status }
      }
      const refused = [...byQuestion.values()]
      if (refused.length < maxRefusedQuestions) return null
      const { excerpt, message, reason, status } = refused.at(-1)!
      return { reason, message: `${message} (so for ${maxRefusedQuestions} questions in a row)`, excerpt, status }
    },
    /** The scan has an answer from earlier: its requests are not wrong. */
    recordAnswer: (scanId: ScanId): void => {
      scans.set(scanId, { ...none, answered: true })
    },
    /** Forgets every other scan. */
    retain: (known: ReadonlySet<ScanId>): void => {
      for (const scanId of scans.keys()) if (!known.has(scanId)) scans.delete(scanId)
    }
  }
}
