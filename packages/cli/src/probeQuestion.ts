/** The question that `sov platform test` and `sov doctor --online` ask: short, but one that needs a web search. */
export const probeQuestion = "Which three running shoes do reviewers recommend most this year? Answer in one sentence."
