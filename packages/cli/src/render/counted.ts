/** "1,234" */
export const grouped = (n: number): string => n.toLocaleString("en-US")

/** "1 platform", "2 platforms" */
export const counted = (n: number, thing: string): string => `${n} ${thing}${n === 1 ? "" : "s"}`

/** "1 answer", "1,234 answers" */
export const groupedCount = (n: number, thing: string, things = `${thing}s`): string =>
  `${grouped(n)} ${n === 1 ? thing : things}`
