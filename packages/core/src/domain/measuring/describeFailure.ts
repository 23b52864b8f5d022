/** Describes why an answer could not be measured, as the end of a sentence. */
export const describeFailure = (reason: "deadline" | "memory" | "failed"): string =>
  ({
    deadline: "measuring took longer than its deadline",
    memory: "measuring took more memory than it may use",
    failed: "the rules failed on it"
  })[reason]
