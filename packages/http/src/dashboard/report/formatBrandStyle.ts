/** The style of an organization's own colours, made from nothing but the colours. */
import { chooseTextColor, lightenUntilReadable, type ReportBranding } from "@sov/core/reports"

/** The paper of the dark theme, as in style.css. */
const darkPaper = "#17181c"

/**
 * Overrides the accent, and the band behind the title. Text and lines keep a contrast of 4.5 : 1 or more on both
 * themes: the dark one takes a lighter colour of the same hue. Empty without own colours.
 */
export const formatBrandStyle = (
  { band, color }: Pick<ReportBranding, "band" | "color"> = { band: null, color: null }
) =>
  [
    ...color === null ? [] : [
      `.report{--accent:light-dark(${color},${
        lightenUntilReadable(color, darkPaper)
      });--fill:var(--accent);--fill-hover:var(--ink);`,
      "--soft:color-mix(in srgb,var(--accent) 12%,var(--paper));--on-soft:color-mix(in srgb,var(--accent) 50%,var(--ink));",
      "--band:color-mix(in srgb,var(--accent) 22%,var(--paper));--mark:color-mix(in srgb,var(--accent) 20%,var(--paper))}"
    ],
    ...band === null ? [] : [
      `.report .cover{background:${band};padding:16px;border-radius:12px}.report .cover h1,.report .cover p{color:${
        chooseTextColor(band)
      }}`
    ]
  ].join("")
