/** The e-mail about an endpoint that does not get its events. */
import { Duration } from "effect"
import type { EndpointId } from "../ids.ts"
import type { MailContent } from "../mail/Mail.ts"
import { type MailTemplate, renderMail } from "../mail/renderMail.ts"
import { disableAfter, maxPendingAge, maxTries } from "./Delivery.ts"

/**
 * `gone` disabled, it answered 410 · `failing` disabled, every try failed for days · `exhausted` a delivery is given
 * up.
 */
export type EndpointTrouble = "gone" | "failing" | "exhausted"

/** An endpoint with its trouble. */
export interface TroubledEndpoint {
  readonly endpointId: EndpointId
  readonly url: string
  readonly trouble: EndpointTrouble
  /** What has failed from then on is not delivered because of it. */
  readonly failedSince: Date
}

/** The address without what may be secret in it: paths and queries of some receivers are keys. */
const parseOrigin = (url: string): string => URL.parse(url)?.origin ?? "an address"

const formatDays = (duration: Duration.Duration): string => `${Duration.toDays(duration)} days`

/** What has happened, in one line. */
export const describeTrouble = ({ endpointId, trouble, url }: TroubledEndpoint): string =>
  ({
    gone: `webhook ${endpointId} (${parseOrigin(url)}) is disabled: it answered 410, gone for good`,
    failing: `webhook ${endpointId} (${parseOrigin(url)}) is disabled: every try failed for ${
      formatDays(disableAfter)
    }`,
    exhausted: `a delivery to webhook ${endpointId} (${parseOrigin(url)}) is given up after ${maxTries} tries`
  })[trouble]

const mailTemplates: {
  readonly [T in EndpointTrouble]: (
    id: EndpointId,
    origin: string,
    recover: string
  ) => Omit<MailTemplate, "facts" | "footer">
} = {
  gone: (id, origin, recover) => ({
    subject: `Webhook disabled: ${origin} is gone`,
    opening: "Nothing more is sent to this webhook: it answered 410, which says that it is gone for good.",
    paragraphs: [
      `Is it there again? sov webhook enable ${id}`,
      `What has failed is sent again after that by: ${recover}`,
      `Is it not needed? sov webhook remove ${id}`
    ]
  }),
  failing: (id, origin, recover) => ({
    subject: `Webhook disabled: nothing reached ${origin} for ${formatDays(disableAfter)}`,
    opening: `Nothing more is sent to this webhook: every try failed for ${formatDays(disableAfter)}.`,
    paragraphs: [
      `Why: sov webhook deliveries ${id}`,
      `What is pending waits up to ${formatDays(maxPendingAge)} for: sov webhook enable ${id}`,
      `What has failed is sent again after that by: ${recover}`
    ]
  }),
  exhausted: (id, origin, recover) => ({
    subject: `Webhook: a delivery to ${origin} was given up`,
    opening: `A delivery to this webhook has failed ${maxTries} times and is not tried any more.`,
    paragraphs: [
      `Which, and why: sov webhook deliveries ${id} --state failed`,
      `Once the receiver is mended, all that failed since then is sent again by: ${recover}`,
      "Of one webhook you are told so at most once a day."
    ]
  })
}

/** Writes the e-mail; `organization` is the name of whose endpoint it is. */
export const renderEndpointMail = (
  { endpointId, failedSince, trouble, url }: TroubledEndpoint,
  organization: string
): MailContent => {
  const origin = parseOrigin(url)
  const recover = `sov webhook recover ${endpointId} --since ${failedSince.toISOString()}`
  return renderMail({
    ...mailTemplates[trouble](endpointId, origin, recover),
    facts: [["Address", origin], ["Webhook", endpointId]],
    footer: [`You get this as a recipient of alerts of ${organization}. Who gets them: sov alert set --email`]
  })
}
