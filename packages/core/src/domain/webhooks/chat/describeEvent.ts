import {
  type AlertNames,
  type AlertWords,
  describeAlert,
  describeLabels,
  labelSubject
} from "../../alerts/describeAlert.ts"
import { pluralized } from "../../wording.ts"
import type { OutboundEvent } from "../Event.ts"
import type { ChatMessage } from "./ChatMessage.ts"

/** The names and facts that a chat message shows with the event. */
export interface EventNames extends AlertNames {
  readonly organization: string
  /** Address of the organization's pages, without a trailing slash; null if the dashboard has no public address. */
  readonly organizationUrl: string | null
  /** An excerpt of an answer with a mention; null without one. */
  readonly quote: string | null
}

/**
 * The path of the dashboard's page about the event, below the address of the organization's pages. A sample has no
 * page.
 */
const findPath = ({ data, event, id }: OutboundEvent): string => {
  if (data.test === true || event === "archive.anchored") return ""
  if (event === "experiment.ended") return `/experiments/${data.experiment_id}`
  return event === "scan.completed" || event === "scan.failed" || event === "platform.changed"
    ? `/scans/${data.scan_id}`
    : `/alerts/${id}`
}

type Words = Pick<AlertWords, "subject" | "facts" | "paragraphs">

const describe = ({ data, event }: OutboundEvent, names: EventNames): Words => {
  switch (event) {
    case "scan.completed":
      return {
        subject: labelSubject(
          `${names.brand}: share of voice ${data.avg_sov === null ? "unknown" : `${data.avg_sov} %`}`,
          data
        ),
        facts: [["Answers", `${data.results_count}`], ["That name the brand", `${data.mentioned_count}`]],
        paragraphs: []
      }
    case "scan.failed":
      return {
        subject: labelSubject(
          `${names.organization}: a scan failed, ${pluralized(data.failed_count, "question")}`,
          data
        ),
        facts: data.failures.map(({ count, platform, reason }) => [platform, `${reason}: ${count}`]),
        paragraphs: ["No question got an answer. The scan uses none of the month's scans."]
      }
    case "platform.changed":
      return describeAlert({ rule: "platform_changed", event, data }, names)
    case "fact.contradicted":
      return describeAlert({ rule: "fact_contradicted", event, data }, names)
    case "experiment.ended":
      return {
        subject: labelSubject(`${names.organization}: experiment ${data.name} has ended`, data),
        facts: [
          ["Change", `${data.change}, from ${data.from}`],
          ...data.interval === null
            ? []
            : [["95 % interval", `${data.interval.low} to ${data.interval.high} points`] as const]
        ],
        paragraphs: [data.sentence]
      }
    case "archive.anchored":
      return {
        subject: labelSubject(`${names.organization}: archive anchored at seal ${data.sequence}`, data),
        facts: [["Hash", data.hash], ["Sealed at", data.sealed_at]],
        paragraphs: []
      }
    case "sov.dropped":
      return describeAlert({ rule: "sov_drop", event, data }, names)
    case "mention.detected":
      return describeAlert({ rule: "new_mention", event, data }, names)
    case "competitor.overtake":
      return describeAlert({ rule: "competitor_overtake", event, data }, names)
    case "competitor.suggested":
      return describeAlert({ rule: "new_competitor", event, data }, names)
  }
}

/** Describes an event for a chat, with the same words and figures as the alert's e-mail. */
export const describeEvent = (event: OutboundEvent, names: EventNames): ChatMessage => {
  const { facts, paragraphs, subject } = describe(event, names)
  return {
    title: subject,
    facts,
    quote: names.quote,
    paragraphs: [...paragraphs, ...describeLabels(event.data)],
    url: names.organizationUrl === null ? null : `${names.organizationUrl}${findPath(event)}`
  }
}
