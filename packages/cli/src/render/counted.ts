/** "1,234" */
export const formatGrouped = (n: number): string => n.toLocaleString("en-US")

/** "1 answer", "1,234 answers" */
export const pluralizeGrouped = (n: number, thing: string, things = `${thing}s`): string =>
  `${formatGrouped(n)} ${n === 1 ? thing : things}`
