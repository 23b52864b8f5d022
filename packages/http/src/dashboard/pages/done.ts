/** What a server without a mail server says wherever e-mails are promised. */
export const noMailWords =
  "This server cannot send e-mail yet: its operator needs to set SOV_SMTP_URL and SOV_MAIL_FROM."

/**
 * Messages that confirm what a form did. The form redirects to a page with `?done=CODE`; only the codes listed here are
 * shown.
 */
const sentences = {
  "action-done": "Done. It comes back if answers from now on show it again.",
  "action-dismissed": "It stays away; below you can undo that.",
  "action-later": "It comes back in 30 days; below you can undo that.",
  "action-undone": "Undone: it is listed again as long as the answers show it.",
  "annotation-added": "Annotation added. It stands on every course from that day on.",
  "annotation-removed": "Annotation removed.",
  "alert-rule-off": "The rule is off. Alerts that it raised stay in the list.",
  "alert-rule-on": "Rule saved. It is evaluated after each scan.",
  "branding-set": "Saved. Reports, share links and e-mails use it from now on.",
  "brand-first": "Set your brand first: sov looks for its names in the answers.",
  "brand-set": "Brand saved. The next scan is measured with it.",
  "card-attested": "Business card attested.",
  "card-saved": "Business card saved.",
  "card-unchanged": "Nothing was changed.",
  "competitor-added": "Competitor added. The next scan includes it.",
  "competitor-changed": "Competitor saved. The next scan uses its new names.",
  "competitor-removed": "Competitor removed. Earlier scores still include it.",
  "suggestion-ignored": "This name is no longer suggested. You can undo this under the ignored names.",
  "suggestion-restored": "This name can be suggested again.",
  "test-sent-before": "This form was already submitted and its test e-mail was sent. You can send another one here.",
  "deliveries-queued": "The deliveries are being sent again. Their state shows the progress.",
  "deliveries-none": "No delivery has failed since then, so there is nothing to send again.",
  "delivery-delivered": "Delivered.",
  "delivery-failed": "Not delivered. The last attempt says why.",
  "delivery-on-its-way": "The delivery is on its way. Its state appears in the list of deliveries.",
  "webhook-added": "Endpoint added. Send a test to see what arrives.",
  "webhook-added-before":
    "This form was already submitted and its endpoint was added. If you do not have its secret, open the endpoint and reveal it.",
  "webhook-disabled": "Endpoint disabled.",
  "webhook-enabled": "Endpoint enabled. Pending deliveries are being sent.",
  "webhook-events-set": "Events saved.",
  "webhook-not-staged": "No new secret is staged, so nothing was changed: the current one stays in use.",
  "webhook-promoted": "Deliveries are now signed with the new secret only.",
  "webhook-revealed-before": "This form was already submitted and the secret was shown. You can reveal it again here.",
  "webhook-removed": "Endpoint removed.",
  "webhook-rotated-before":
    "This form was already submitted and the secret was created. If you do not have it, reveal it.",
  "experiment-ended": "The experiment has ended without a result. Plan and reason stay in the archive.",
  "experiment-sealed": "The plan is drawn and sealed. Change only what is for the treated questions, from its day on.",
  "invited-before":
    "This form was already submitted and the invitation was created. A link is shown once: if you do not have it, invite the address again.",
  "key-made-before":
    "This form was already submitted and its key was created. A key is shown once: if you do not have it, roll or revoke it.",
  "key-revoked": "Key revoked.",
  "keyword-active": "The question is active again. The next scan asks it.",
  "keyword-archived": "Question removed. Its answers stay in the archive.",
  "keyword-tags": "Tags saved.",
  "keyword-paused": "Question paused. Scans skip it until you resume it.",
  "formats-set": "Numbers, dates and CSV of this browser are saved.",
  "time-zone-set": "Time zone saved. Pages, e-mails and reports use it from now on.",
  "identity-removed": "You can no longer sign in with that account.",
  "member-removed": "Member removed.",
  "names-unchanged": "Nothing was changed.",
  "digest-off": "The weekly digest is off.",
  "digest-on": "The weekly digest is on.",
  "digest-on-no-mail": `The weekly digest is on. ${noMailWords}`,
  "recipients-set": "Recipients saved.",
  "recipients-set-no-mail": `Recipients saved. ${noMailWords}`,
  "rescored": "All scans are measured with the current names and rules. Earlier scores stay in the database.",
  "rescored-part": "Some answers are measured with the current names. Continue to measure the rest.",
  "share-made-before":
    "This form was already submitted and its link was created. A link is shown once: if you do not have it, revoke it and create another.",
  "share-revoked": "Link revoked. It no longer shows the report.",
  "role-set": "Role saved.",
  "session-ended": "Browser signed out.",
  "sessions-ended": "All other browsers are signed out.",
  "sent-before": "This form was already submitted. Nothing was done twice.",
  "schedule-paused": "Schedule paused: no scan starts until you resume it.",
  "schedule-removed": "Schedule removed. Its scans stay.",
  "schedule-resumed": "Schedule resumed. Runs missed during the pause are skipped.",
  "schedule-set": "Schedule saved.",
  "scan-started": "The scan has started. It continues when you leave this page.",
  "answer-captured": "The answer is archived and sealed. It never counts in the headline.",
  "view-added": "The view is added. The next scan asks from it, too.",
  "wordings-saved": "The words are saved. The next scan asks with them.",
  "view-removed": "The view is removed. Its scans and answers stay.",
  "topics-decided": "Topics saved. They count from the next scan; measure earlier scans again under Competitors.",
  "scan-cancelled": "Scan cancelled. Its answers are kept.",
  "scan-had-ended": "The scan had already ended, so there was nothing to cancel.",
  "measured-again":
    "The answers were measured again with the newer names and the current rules. Older scores are kept.",
  "theme-set": "Theme saved for this browser."
} as const

export type DoneCode = keyof typeof sentences

/** The message for a code; null for an unknown code. */
export const describeDone = (code: string | null): string | null =>
  code !== null && Object.hasOwn(sentences, code) ? sentences[code as DoneCode] : null
