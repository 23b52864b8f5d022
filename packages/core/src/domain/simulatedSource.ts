/** The word that marks simulated data, in the source of a fact on the card and in the version of a traffic table. */
export const simulatedMark = "SIMULATED"

/** Whether a source marks its data as simulated: `SIMULATED: …`, or `2026-11+SIMULATED`. */
export const isSimulatedSource = (source: string): boolean =>
  source.startsWith(`${simulatedMark}:`) || source.split("+").includes(simulatedMark)
