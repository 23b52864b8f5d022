/**
 * @sov/core/names: plain values that the command tree loads at start, such as closed lists of names. It loads nothing
 * else.
 */
export { alertRuleNames } from "./domain/alerts/alertRuleNames.ts"
export { probeQuestion } from "./domain/platforms/probeQuestion.ts"
export { defaultEventNames, eventNames } from "./domain/webhooks/eventNames.ts"
export { webhookFormats } from "./domain/webhooks/webhookFormats.ts"
