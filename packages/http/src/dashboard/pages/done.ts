/** What a form has just done: its answer leads to a page with `?done=CODE`, and only these codes say anything. */
const sentences = {
  "card-attested": "The card is attested.",
  "card-saved": "The card is saved.",
  "card-unchanged": "Nothing was changed.",
  "member-removed": "The member is removed.",
  "role-set": "The role is set.",
  "session-ended": "That browser is signed out.",
  "sessions-ended": "All other browsers are signed out.",
  "scan-started": "The scan has started. It goes on when you leave this page.",
  "scan-cancelled": "The scan is cancelled. Its answers stay.",
  "scan-had-ended": "The scan had ended already. Nothing was cancelled.",
  "measured-again": "The answers were measured again with the newer names and the present rules. Older scores stay.",
  "theme-set": "The colours are set for this browser."
} as const

export type DoneCode = keyof typeof sentences

/** The sentence of a code; null for anything else. */
export const describeDone = (code: string | null): string | null =>
  code !== null && Object.hasOwn(sentences, code) ? sentences[code as DoneCode] : null
