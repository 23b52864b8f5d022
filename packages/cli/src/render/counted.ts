/** "1 platform", "2 platforms" */
export const counted = (n: number, thing: string): string => `${n} ${thing}${n === 1 ? "" : "s"}`
