/** What a form has just done: its answer leads to a page with `?done=CODE`, and only these codes say anything. */
const sentences = {
  "card-attested": "The card is attested.",
  "card-saved": "The card is saved.",
  "card-unchanged": "Nothing was changed.",
  "member-removed": "The member is removed.",
  "role-set": "The role is set.",
  "session-ended": "That browser is signed out.",
  "sessions-ended": "All other browsers are signed out.",
  "theme-set": "The colours are set for this browser."
} as const

export type DoneCode = keyof typeof sentences

/** The sentence of a code; null for anything else. */
export const describeDone = (code: string | null): string | null =>
  code !== null && Object.hasOwn(sentences, code) ? sentences[code as DoneCode] : null
