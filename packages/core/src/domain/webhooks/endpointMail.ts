/** The e-mail about an endpoint that does not receive its events. */
import { Duration } from "effect"
import type { EndpointId } from "../ids.ts"
import type { MailContent } from "../mail/Mail.ts"
import { type MailTemplate, renderMail } from "../mail/renderMail.ts"
import { disableAfter, maxPendingAge, maxTries } from "./Delivery.ts"

/**
 * `gone`: disabled because it answered 410 · `failing`: disabled because every attempt failed for days · `exhausted`: a
 * delivery was given up.
 */
export type EndpointTrouble = "gone" | "failing" | "exhausted"

/** An endpoint and its trouble. */
export interface TroubledEndpoint {
  readonly endpointId: EndpointId
  readonly url: string
  readonly trouble: EndpointTrouble
  /** Deliveries that failed since this time did not arrive because of the trouble. */
  readonly failedSince: Date
}

/** The address without its path and query, because some receivers use them as keys. */
const parseOrigin = (url: string): string => URL.parse(url)?.origin ?? "an address"

const formatDays = (duration: Duration.Duration): string => `${Duration.toDays(duration)} days`

/** Describes the trouble in one line. */
export const describeTrouble = ({ endpointId, trouble, url }: TroubledEndpoint): string =>
  ({
    gone: `webhook ${endpointId} (${parseOrigin(url)}) is disabled: it answered 410 Gone`,
    failing: `webhook ${endpointId} (${parseOrigin(url)}) is disabled: every attempt failed for ${
      formatDays(disableAfter)
    }`,
    exhausted: `a delivery to webhook ${endpointId} (${parseOrigin(url)}) was given up after ${maxTries} attempts`
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
    opening: "sov has stopped sending to this webhook, because it answered 410 Gone.",
    paragraphs: [
      `To enable it again: sov webhook enable ${id}`,
      `To send failed deliveries again after that: ${recover}`,
      `To remove it: sov webhook remove ${id}`
    ]
  }),
  failing: (id, origin, recover) => ({
    subject: `Webhook disabled: nothing reached ${origin} for ${formatDays(disableAfter)}`,
    opening: `sov has stopped sending to this webhook, because every attempt failed for ${formatDays(disableAfter)}.`,
    paragraphs: [
      `To see why: sov webhook deliveries ${id}`,
      `Pending deliveries wait up to ${formatDays(maxPendingAge)}. To send them: sov webhook enable ${id}`,
      `To send failed deliveries again after that: ${recover}`
    ]
  }),
  exhausted: (id, origin, recover) => ({
    subject: `Webhook: a delivery to ${origin} was given up`,
    opening: `A delivery to this webhook has failed ${maxTries} times and will not be attempted again.`,
    paragraphs: [
      `To see which and why: sov webhook deliveries ${id} --state failed`,
      `Once the receiver is fixed, send everything that failed since then again: ${recover}`,
      "You receive this e-mail at most once a day for each webhook."
    ]
  })
}

/** Writes the e-mail; `organization` is the name of the endpoint's organization. */
export const renderEndpointMail = (
  { endpointId, failedSince, trouble, url }: TroubledEndpoint,
  organization: string
): MailContent => {
  const origin = parseOrigin(url)
  const recover = `sov webhook recover ${endpointId} --since ${failedSince.toISOString()}`
  return renderMail({
    ...mailTemplates[trouble](endpointId, origin, recover),
    facts: [["Address", origin], ["Webhook", endpointId]],
    footer: [
      `You receive this e-mail as an alert recipient of ${organization}. To change recipients: sov alert set --email`
    ]
  })
}
