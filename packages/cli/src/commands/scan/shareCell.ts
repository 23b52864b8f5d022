import { type AskedJson, askedText } from "../../render/askedText.ts"

/** A scan's share of voice in a list, marked if its answers are simulated or it asked only a part. */
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
