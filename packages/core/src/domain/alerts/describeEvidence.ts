import { roundHalfUp } from "../scoring/Score.ts"
import type { GatedAlert } from "./AlertRule.ts"
import { minGateCells } from "./evidence.ts"

/** For each rule, the words for the cells that caused an alert. */
const moves: { readonly [rule in GatedAlert["rule"]]: string } = {
  sov_drop: "moved",
  new_mention: "moved",
  competitor_overtake: "favor one of the two",
  new_competitor: "newly contain a suggested name"
}

/** Describes the decision of the noise gate in sentences. */
export const describeEvidence = (
  rule: GatedAlert["rule"],
  { cells_moved, confidence, confirmed, n_cells, z }: Pick<
    GatedAlert["data"],
    "cells_moved" | "confidence" | "confirmed" | "n_cells" | "z"
  >
): string =>
  [
    confirmed
      ? "More than noise: chance alone is not a good explanation."
      : "May be noise: answers vary from scan to scan, and noise alone may explain this.",
    `${cells_moved} of the ${n_cells} pairs of question and platform that both scans answered ${moves[rule]}${
      z === null ? "" : `, z = ${roundHalfUp(z, 2)}`
    }.`,
    ...confidence === "low" ? [`Fewer than ${minGateCells} pairs say little.`] : []
  ].join(" ")
