/** The share of voice of a scan in a list, marked where its answers are simulated. */
export const shareCell = (
  { avg_sov, simulated }: { readonly avg_sov?: number | null; readonly simulated?: boolean }
): string => `${avg_sov == null ? "-" : `${avg_sov} %`}${simulated === true ? " SIMULATED" : ""}`
