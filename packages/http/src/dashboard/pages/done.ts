/** What a form has just done: its answer leads to a page with `?done=CODE`, and only these codes say anything. */
const sentences = {
  "alert-rule-off": "The rule is off. What it raised stays in the list of alerts.",
  "alert-rule-on": "The rule is set. It is evaluated when the next scan completes.",
  "brand-first": "Set the brand first: answers are measured by its names.",
  "brand-set": "The brand is set. The next scan is measured with it.",
  "card-attested": "The card is attested.",
  "card-saved": "The card is saved.",
  "card-unchanged": "Nothing was changed.",
  "competitor-added": "The competitor is added. The next scan is measured with it.",
  "competitor-changed": "The competitor is changed. The next scan is measured with its new names.",
  "competitor-removed": "The competitor is removed. Earlier scores keep it.",
  "suggestion-ignored":
    "The name is not suggested any more. It stands with the ignored names, where this can be undone.",
  "suggestion-restored": "The name is suggested again, where answers name it.",
  "test-sent-before": "This form was sent before, and the test e-mail went out then. Send another one here.",
  "deliveries-queued": "The deliveries are sent again now. Their states show how far it is.",
  "deliveries-none": "No delivery has failed since then. Nothing is sent again.",
  "delivery-delivered": "It was delivered.",
  "delivery-failed": "It was not delivered. The last try says why.",
  "delivery-on-its-way": "It is on its way. The deliveries show what has become of it.",
  "webhook-added": "The endpoint is added. Send it a test to see what arrives.",
  "webhook-added-before":
    "This form was sent before, and its endpoint was added then. If you do not have its secret, open the endpoint and reveal it.",
  "webhook-disabled": "The endpoint is disabled.",
  "webhook-enabled": "The endpoint is enabled. What was pending is sent now.",
  "webhook-events-set": "The events are set.",
  "webhook-not-staged": "No next secret is staged, so nothing was changed: the present one goes on.",
  "webhook-promoted": "Only the new secret signs now.",
  "webhook-revealed-before": "This form was sent before, and the secret was shown then. Reveal it again here.",
  "webhook-removed": "The endpoint is removed.",
  "webhook-rotated-before":
    "This form was sent before, and the secret was made then. If you do not have it, reveal it.",
  "invited-before":
    "This form was sent before, and the invitation was made then. A link is shown once: if you do not have it, invite the address again.",
  "key-made-before":
    "This form was sent before, and its key was made then. A key is shown once: if you do not have it, roll or revoke it.",
  "key-revoked": "The key is revoked.",
  "keyword-active": "The question is asked again, from the next scan on.",
  "keyword-archived": "The question is removed. Its answers stay in the archive.",
  "keyword-tags": "The tags of the question are saved.",
  "keyword-paused": "The question is paused. The next scan leaves it out.",
  "identity-removed": "That account does not sign you in any more.",
  "member-removed": "The member is removed.",
  "names-unchanged": "Nothing was changed.",
  "digest-off": "No more digests are mailed.",
  "digest-on": "A digest is mailed every week.",
  "recipients-set": "The recipients are set.",
  "rescored": "All scans are measured with the present names and rules. Earlier scores stay in the database.",
  "rescored-part": "A part is measured with the present names. Go on to measure the rest.",
  "share-made-before":
    "This form was sent before, and its link was made then. A link is shown once: if you do not have it, revoke it and make another.",
  "share-revoked": "The link is revoked. Whoever opens it is told so.",
  "role-set": "The role is set.",
  "session-ended": "That browser is signed out.",
  "sessions-ended": "All other browsers are signed out.",
  "sent-before": "This form was sent before, and was done then. Nothing was done a second time.",
  "schedule-paused": "The schedule is paused: no scan starts by itself until it is resumed.",
  "schedule-removed": "The schedule is removed. Its scans stay.",
  "schedule-resumed": "The schedule runs again. What fell into the pause is not made up for.",
  "schedule-set": "The schedule is set.",
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
