/**
 * The question that `sov platform test` and `sov doctor --online` ask. It is short, and platforms search the web to
 * answer it.
 */
export const probeQuestion = "Which three running shoes do reviewers recommend most this year? Answer in one sentence."
