import { roundHalfUp } from "../scoring/Score.ts"
import type { EventData } from "../webhooks/Event.ts"
import { isBelow } from "./evidence.ts"

/**
 * Formats the shares of a drop in percent, without the sign. The current share has enough digits to be visibly below
 * the threshold. `fell` tells whether the shown share is lower than in the compared scan; the noise gate may also
 * confirm a share that was already below.
 */
export const describeDrop = (
  { current_sov, previous_sov, threshold }: Pick<EventData<"sov.dropped">, "current_sov" | "previous_sov" | "threshold">
): { readonly fell: boolean; readonly before: string; readonly now: string } => {
  const shows = (digits: number): boolean => roundHalfUp(current_sov, digits) < threshold
  const digits = [1, 2, 4].find(shows)
  const before = roundHalfUp(previous_sov, digits ?? 4)
  return {
    fell: !isBelow(previous_sov, threshold) || roundHalfUp(current_sov, digits ?? 4) < before,
    before: `${before}`,
    now: digits === undefined ? `just below ${threshold}` : `${roundHalfUp(current_sov, digits)}`
  }
}
