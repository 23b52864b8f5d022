import { Effect } from "effect"
import { AnswerPlatforms } from "../../ports/AnswerPlatform.ts"
import { PlatformsMissing, ScanKindMismatch } from "../errors.ts"
import type { ScanProgress } from "./followScan.ts"

/**
 * Checks that this process can ask the open cells of a scan. Fails with PlatformsMissing if a platform with open cells
 * is not configured here, and with ScanKindMismatch if simulated platforms would finish a real scan or real platforms a
 * simulated one.
 */
export const checkResumable = Effect.fn("checkResumable")(function*({ counts, scan }: ScanProgress) {
  const { all } = yield* AnswerPlatforms
  const open = counts.filter((one) => one.open > 0).map((one) => one.platform)
  const missing = open.filter((id) => !all.has(id))
  if (missing.length > 0) return yield* new PlatformsMissing({ platforms: missing })
  if (open.some((id) => all.get(id)?.simulated !== scan.simulated)) {
    return yield* new ScanKindMismatch({ id: scan.id, simulated: scan.simulated })
  }
})
