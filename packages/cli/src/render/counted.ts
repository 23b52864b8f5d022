/** "1,234" */
export const grouped = (n: number): string => n.toLocaleString("en-US")

/** "1 answer", "1,234 answers" */
export const groupedCount = (n: number, thing: string, things = `${thing}s`): string =>
  `${grouped(n)} ${n === 1 ? thing : things}`
