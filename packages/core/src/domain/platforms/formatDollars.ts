import { defaultPlace, formatsOf } from "../formats.ts"

/** Formats US dollars for the terminal: with cents, and with more decimals for amounts below ten cents. */
export const formatDollars = (amount: number): string => formatsOf(defaultPlace).dollars(amount)
