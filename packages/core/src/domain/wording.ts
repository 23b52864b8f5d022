/** Parts of sentences that are worded the same wherever people read them. */

/** "1 platform", "2 platforms" */
export const pluralized = (n: number, thing: string): string => `${n} ${thing}${n === 1 ? "" : "s"}`

/** The note for a score whose `brandedOnly` is true. */
export const brandedOnlyNote = "Only keywords that name the brand have answers, so they were scored."
