/** @sov/core/names: closed lists of names as plain values. It loads nothing else, so the command tree can import it. */
export { alertRuleNames } from "./domain/alerts/alertRuleNames.ts"
export { defaultEventNames, eventNames } from "./domain/webhooks/eventNames.ts"
export { webhookFormats } from "./domain/webhooks/webhookFormats.ts"
