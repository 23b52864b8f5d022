/** The members of REST and the tools that say how sure a share is. */
export const shareInterval = (
  interval: { readonly low: number; readonly high: number } | null,
  questions: number | null
) => ({
  interval_95: interval,
  interval_about: "other questions like these",
  questions,
  topics: null
})
