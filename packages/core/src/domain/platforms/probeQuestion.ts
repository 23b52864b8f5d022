/** What a test of a platform asks: short, and a question that platforms search the web for. */
export const probeQuestion = "Which three running shoes do reviewers recommend most this year? Answer in one sentence."
