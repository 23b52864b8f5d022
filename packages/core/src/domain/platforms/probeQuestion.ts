/** The question that tests a platform: short, and one for which platforms search the web. */
export const probeQuestion = "Which three running shoes do reviewers recommend most this year? Answer in one sentence."
