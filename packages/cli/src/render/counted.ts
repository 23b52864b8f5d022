/** "1,234" */
export const grouped = (n: number): string => n.toLocaleString("en-US")

export { counted } from "@sov/core"

/** "1 answer", "1,234 answers" */
export const groupedCount = (n: number, thing: string): string => `${grouped(n)} ${thing}${n === 1 ? "" : "s"}`
