/** The members in REST and tool results that say how certain a share is. */
export const shareInterval = (
  interval: { readonly low: number; readonly high: number } | null,
  questions: number | null
) => ({
  interval_95: interval,
  interval_about: "other questions like these",
  questions,
  topics: null
})
