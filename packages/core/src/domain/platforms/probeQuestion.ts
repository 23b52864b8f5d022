/** The question that tests a platform. It is short, and platforms search the web to answer it. */
export const probeQuestion = "Which three running shoes do reviewers recommend most this year? Answer in one sentence."
