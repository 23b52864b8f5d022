import { type AskedJson, askedText } from "../../render/askedText.ts"

/** The share of voice of a scan in a list, marked where its answers are simulated, and where it asked only a part. */
export const shareCell = (
  { asked, avg_sov, simulated }: {
    readonly avg_sov?: number | null
    readonly simulated?: boolean
    readonly asked?: AskedJson
  }
): string => {
  const part = asked === undefined || avg_sov == null ? null : askedText(asked)
  return `${avg_sov == null ? "-" : `${avg_sov} %`}${part === null ? "" : ` (${part})`}${
    simulated === true ? " SIMULATED" : ""
  }`
}
