/** The forms of questions, the card, alert rules, recipients, schedule and names, each with the data that it needs. */
import {
  addKeywords,
  addView,
  decideTopics,
  editBusinessCard,
  EmailAddress,
  findKeyword,
  ignoreSuggestion,
  listViews,
  type OrganizationId,
  pauseSchedule,
  readTrackedSet,
  removeView,
  restoreSuggestion,
  setAlertRule,
  setDigest,
  setKeywordStatus,
  setKeywordTags,
  setRecipients,
  setSchedule,
  setTrackedSet
} from "@sov/core"
import { Effect } from "effect"
import type { DashboardForm } from "./dashboardForms.ts"

/** Sets a schedule; `path` is where the form is sent. */
export const prepareSchedule =
  (path: `/${string}`, { paused = false } = {}): DashboardForm["prepare"] => (organizationId) =>
    setSchedule(organizationId, { cron: "daily", timeZone: "UTC", samples: 1 }).pipe(
      Effect.andThen(paused ? pauseSchedule(organizationId) : Effect.void),
      Effect.as(path)
    )

/** Number of answers captured by now. */
let captured = 0

const globex = { name: "Globex", aliases: [], domains: [] }

/** Sets a brand and one competitor, whatever was tracked before; the path of the form ends with what `path` returns. */
const prepareNames = (path: (competitorId: string) => `/${string}`): DashboardForm["prepare"] => (organizationId) =>
  Effect.gen(function*() {
    const brand = { name: "Acme", aliases: ["Acme Corp"], domains: [], excludes: [] }
    yield* setTrackedSet(organizationId, { brand, competitors: [globex] })
    const { competitors } = yield* readTrackedSet(organizationId)
    return path(competitors[0]!.id)
  })

const heaviest = "which anvil is heaviest?"

/** Adds an active question. */
const prepareQuestion = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const [added] = yield* addKeywords(organizationId, [heaviest])
  const { id } = yield* setKeywordStatus(organizationId, added!.keyword.id, "active")
  return `/keywords/${id}/status` as const
})

/**
 * The hash that a form sends for an empty field of the card: the beginning of the hexadecimal SHA-256 of an empty text.
 */
const emptyMark = "e3b0c44298fc1c14"

export const trackingForms: ReadonlyArray<DashboardForm> = [
  {
    name: "Pause a question",
    prepare: prepareQuestion,
    shows: "active",
    fields: { status: "paused", back: "keyword" }
  },
  {
    name: "Join into one topic",
    prepare: (organizationId) =>
      Effect.gen(function*() {
        yield* prepareNames(() => "/")(organizationId)
        const added = yield* addKeywords(organizationId, ["which anvil is heaviest?", "where do smiths learn?"])
        yield* decideTopics(organizationId, "split", added.map(({ keyword }) => keyword.id))
        return "/keywords/topics" as const
      }),
    shows: "",
    fields: { act: "join", texts: "which anvil is heaviest?\nwhere do smiths learn?" }
  },
  {
    name: "Save tags",
    prepare: (organizationId) =>
      Effect.gen(function*() {
        const [added] = yield* addKeywords(organizationId, ["which anvil is heaviest?"])
        yield* setKeywordTags(organizationId, added!.keyword.id, ["heavy"])
        return `/keywords/${added!.keyword.id}/tags` as const
      }),
    shows: "heavy",
    fields: { tags: "light, cheap" },
    entries: 2
  },
  {
    name: "Save a part of the card",
    prepare: (organizationId) =>
      Effect.as(
        editBusinessCard(organizationId, [{ field: "name", value: null, source: null, updatedAt: null }], {
          source: "register"
        }),
        "/card/edit"
      ),
    fields: {
      group: "identity",
      name: "Acme",
      "was.name": emptyMark,
      "was-source.name": emptyMark
    }
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
    name: "Turn on the weekly digest",
    prepare: (organizationId) => Effect.as(setDigest(organizationId, false), "/settings/alerts/digest"),
    shows: "off",
    fields: { state: "on" }
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
  },
  {
    name: "Pause",
    prepare: prepareSchedule("/settings/schedule/state"),
    shows: "every day at 00:00, UTC; all platforms; each question once",
    fields: { state: "pause" }
  },
  {
    name: "Remove the schedule",
    prepare: prepareSchedule("/settings/schedule/remove"),
    shows: "every day at 00:00, UTC; all platforms; each question once",
    fields: {}
  },
  {
    name: "Save the words",
    prepare: (organizationId) =>
      Effect.gen(function*() {
        yield* prepareQuestion(organizationId)
        for (const { name } of yield* listViews(organizationId)) yield* removeView(organizationId, name)
        yield* addView(organizationId, { name: "germany", country: "DE", language: "de", context: null })
        return "/views/wordings" as const
      }),
    shows: "",
    fields: {
      view: "germany",
      keyword: (organizationId) => Effect.map(findKeyword(organizationId, heaviest), ({ id }) => id),
      text: "Welcher Amboss ist am schwersten?"
    }
  },
  {
    name: "Add this answer",
    prepare: (organizationId) =>
      Effect.gen(function*() {
        yield* prepareNames(() => "/")(organizationId)
        yield* prepareQuestion(organizationId)
        return "/surfaces" as const
      }),
    fields: {
      platform: "assistant_a",
      question: "which anvil is heaviest?",
      // Changes each time, because an answer that is already archived would change nothing
      text: () => Effect.sync(() => `Acme, as ${++captured} people say.`),
      captured_at: "2026-01-20T09:00Z",
      captured_by: "Ada",
      account: "logged out"
    }
  },
  {
    name: "Save the brand",
    prepare: prepareNames(() => "/competitors/brand"),
    shows: "Acme; also known as Acme Corp",
    fields: {
      name: "Acme Forge",
      aliases: "Acme\nAcme Inc",
      domains: "acme.example",
      excludes: "Acme Bank",
      context: "anvil"
    }
  },
  {
    name: "Add a competitor",
    prepare: prepareNames(() => "/competitors"),
    shows: "nothing yet",
    fields: { name: "Initech", aliases: "Initech Inc", domains: "initech.example", context: "steel" }
  },
  {
    name: "Save a competitor",
    prepare: prepareNames((id) => `/competitors/${id}`),
    shows: "Globex",
    fields: { aliases: "Globex Corp", domains: "globex.example", context: "steel" }
  },
  {
    name: "Remove a competitor",
    prepare: prepareNames((id) => `/competitors/${id}/remove`),
    shows: "Globex",
    fields: {}
  },
  {
    name: "Ignore a suggestion",
    prepare: (organizationId) =>
      Effect.gen(function*() {
        yield* prepareNames(() => "/")(organizationId)
        yield* restoreSuggestion(organizationId, "Hooli")
        return "/competitors/suggestions/ignore" as const
      }),
    shows: "not tracked, not ignored",
    fields: { name: "Hooli" }
  },
  {
    name: "Suggest an ignored name again",
    prepare: (organizationId) =>
      Effect.gen(function*() {
        yield* prepareNames(() => "/")(organizationId)
        yield* ignoreSuggestion(organizationId, "Hooli")
        return "/competitors/suggestions/restore" as const
      }),
    shows: "ignored",
    fields: { name: "Hooli" }
  }
]
