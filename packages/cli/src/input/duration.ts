import { Duration } from "effect"

const minutesPerUnit = { m: 1, h: 60, d: 24 * 60 }

/** Reads minutes, hours or days (`30m`, `24h`, `7d`); null for other text. */
export const parseDuration = (text: string): Duration.Duration | null => {
  const [, n, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? []
  return n === undefined ? null : Duration.minutes(Number(n) * minutesPerUnit[unit as keyof typeof minutesPerUnit])
}
