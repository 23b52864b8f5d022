import type { KeywordId, ScanId } from "../../domain/ids.ts"
import type { PlatformError } from "../../ports/AnswerPlatform.ts"
import type { CellFailure } from "../../ports/CellStore.ts"

/** If this many different questions in a row are refused, the key or the request is at fault and not a question. */
const maxRefusedQuestions = 5

interface ScanRefusals {
  /** Whether any question of the scan has been answered. */
  readonly answered: boolean
  readonly refused: ReadonlyMap<KeywordId, PlatformError>
  /** The last call that failed because the account has no credit, or because the API or the model has ended. */
  readonly ended: PlatformError | null
}

/** Whether the error alone is proof. A 404 may be a server's mistake if the platform has answered before. */
const isProof = ({ status }: PlatformError): boolean => status !== 404

/**
 * Counts by scan how many questions in a row the platform refused because of the key or the request, because a wrong
 * key must not be tried on every question. A refusal arrives faster than an answer, so the caller decides when no call
 * is in flight. One reply that says that the account has no credit, or that the API or the model has ended, is enough.
 */
export const makeRefusals = () => {
  const scans = new Map<ScanId, ScanRefusals>()
  const none: ScanRefusals = { answered: false, refused: new Map(), ended: null }
  return {
    /** Records the end of a call. */
    record: (scanId: ScanId, keywordId: KeywordId, error: PlatformError | null): void => {
      const { answered, ended, refused } = scans.get(scanId) ?? none
      if (error === null || error.reason === "no_overview") scans.set(scanId, { ...none, answered: true })
      // One answer proves that the requests are valid, so the question is at fault
      else if (error.reason === "auth" || (error.reason === "rejected" && !answered)) {
        scans.set(scanId, { answered, ended, refused: new Map(refused).set(keywordId, error) })
      } else if (error.reason === "no_credit" || (error.reason === "ended" && (!answered || isProof(error)))) {
        scans.set(scanId, { answered, refused, ended: error })
      }
    },
    /** The reason to fail the rest of the scan unless a call in flight is answered; null to continue. */
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
    /** Records an earlier answer of the scan, which shows that its requests are valid. */
    recordAnswer: (scanId: ScanId): void => {
      scans.set(scanId, { ...none, answered: true })
    },
    /** Removes every scan that is not in `known`. */
    retain: (known: ReadonlySet<ScanId>): void => {
      for (const scanId of scans.keys()) if (!known.has(scanId)) scans.delete(scanId)
    }
  }
}
