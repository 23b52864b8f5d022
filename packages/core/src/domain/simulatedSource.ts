/** The word that marks made-up data at its source: of a fact on the card, and in the version of a traffic table. */
export const simulatedMark = "SIMULATED"

/** Whether a source says that what comes from it is made up: `SIMULATED: …`, or `2026-11+SIMULATED`. */
export const isSimulatedSource = (source: string): boolean =>
  source.startsWith(`${simulatedMark}:`) || source.split("+").includes(simulatedMark)
