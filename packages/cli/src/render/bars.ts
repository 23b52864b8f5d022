/** Horizontal bars for a monospace terminal. */

/**
 * Whether the terminal can show block elements. An unset locale counts as yes (containers set none); `TERM=dumb` or a
 * locale with another character set counts as no.
 */
export const drawsBlocks = (env: { readonly [name: string]: string | undefined }): boolean => {
  if (env["TERM"] === "dumb") return false
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || ""
  return locale === "" || /utf-?8/i.test(locale)
}

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

const clamp = (value: number): number => Math.min(1, Math.max(0, Number.isFinite(value) ? value : 0))

/**
 * Renders `value` of `max` as a bar, padded with spaces to `width` columns. Blocks show eighths of a column, ASCII
 * (`#`) only whole columns. Any value above zero is visible.
 */
export const renderBar = (value: number, max: number, width: number, blocks: boolean): string => {
  const share = clamp(value / max)
  const least = share > 0 ? 1 : 0
  if (!blocks) return "#".repeat(Math.max(least, Math.round(share * width))).padEnd(width)
  const units = Math.max(least, Math.round(share * width * 8))
  return ("█".repeat(Math.floor(units / 8)) + eighths[units % 8]!).padEnd(width)
}
