/** The forms of questions, the card, alert rules, recipients and the schedule, each with what it needs to be there. */
import {
  addKeywords,
  EmailAddress,
  type OrganizationId,
  setAlertRule,
  setKeywordStatus,
  setRecipients,
  setSchedule
} from "@sov/core"
import { Effect } from "effect"
import type { DashboardForm } from "./dashboardForms.ts"

const prepareSchedule = (path: `/${string}`): DashboardForm["prepare"] => (organizationId) =>
  Effect.as(setSchedule(organizationId, { cron: "daily", timeZone: "UTC", samples: 1 }), path)

/** A question that is asked. */
const prepareQuestion = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const [added] = yield* addKeywords(organizationId, ["which anvil is heaviest?"])
  const { id } = yield* setKeywordStatus(organizationId, added!.keyword.id, "active")
  return `/keywords/${id}/status` as const
})

export const trackingForms: ReadonlyArray<DashboardForm> = [
  {
    name: "Pause a question",
    prepare: prepareQuestion,
    fields: { status: "paused", back: "keyword" }
  },
  {
    name: "Save a part of the card",
    prepare: () => Effect.succeed("/card/edit"),
    fields: { group: "identity", name: "Acme" }
  },
  {
    name: "Save an alert rule",
    prepare: (organizationId) =>
      Effect.as(
        setAlertRule(organizationId, { rule: "sov_drop", enabled: false, threshold: 30, sensitivity: "immediate" }),
        "/settings/alerts/sov_drop"
      ),
    shows: "off, below 30 %, immediate",
    fields: { enabled: "on", threshold: "40", sensitivity: "confirmed" }
  },
  {
    name: "Save recipients",
    prepare: (organizationId) =>
      Effect.as(
        setRecipients(organizationId, [EmailAddress.make("ann@acme.example")]),
        "/settings/alerts/recipients"
      ),
    shows: "ann@acme.example",
    fields: { addresses: "ops@acme.example\nceo@acme.example" }
  },
  {
    name: "Save a schedule",
    prepare: prepareSchedule("/settings/schedule"),
    shows: "every day at 00:00, UTC; all platforms; each question once",
    fields: { every: "week", time: "07:00", weekday: "monday", timeZone: "Europe/Berlin", samples: "2" }
  },
  {
    name: "Save a cron expression",
    prepare: prepareSchedule("/settings/schedule"),
    shows: "every day at 00:00, UTC; all platforms; each question once",
    fields: { every: "cron", cron: "0 7 * * 1-5", timeZone: "UTC", samples: "1", platforms: ["assistant_a"] }
  }
]
