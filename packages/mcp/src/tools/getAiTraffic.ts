import { isSimulatedSource, pluralized } from "@sov/core/common"
import { wholeHistory } from "@sov/core/organizations"
import { simulatedJson } from "@sov/core/scoring"
import { type AiTraffic, readAiTraffic } from "@sov/core/traffic"
import { Effect, Schema } from "effect"
import { rowsBudget, takeFitting } from "../budget.ts"
import { Count, dayArgument, simulatedMember } from "../parameters.ts"
import { defineTool, type ToolOutput, ToolRefusal } from "../Tool.ts"

const Signals = Schema.Struct({
  total: Count,
  rows: Schema.Array(Schema.Struct({
    assistant: Schema.String.annotate({ description: "Id of the assistant, e.g. chatgpt" }),
    name: Schema.String,
    day: Schema.optionalKey(Schema.String.annotate({ description: "UTC; with group_by day" })),
    count: Count
  })),
  rows_cut: Schema.Boolean.annotate({ description: "True: more rows than fit; narrow from and to. total counts all" })
})

const Output = Schema.Struct({
  status: Schema.Literals(["ok", "no_data"]),
  from: Schema.NullOr(Schema.String),
  to: Schema.NullOr(Schema.String),
  first_day: Schema.NullOr(Schema.String),
  last_day: Schema.NullOr(Schema.String),
  referrer_signals: Signals.annotate({ description: "Visits whose referrer is an AI assistant" }),
  ai_tag_only_visits: Signals.annotate({
    description: "Visits that only a tag on the link marks; never to be added to referrer_signals"
  }),
  lower_bound_reasons: Schema.Array(Schema.String).annotate({ description: "Why the true numbers are higher" }),
  ...simulatedMember
})
type Traffic = typeof Output.Type

type Assistants = ReadonlyArray<
  Pick<AiTraffic["referrerSignals"]["assistants"][number], "assistant" | "name" | "count" | "days">
>

const listByDay = (assistants: Assistants) =>
  assistants.flatMap(({ assistant, days, name }) => days.map(({ count, day }) => ({ assistant, name, day, count })))
    .toSorted((a, b) => a.day < b.day ? 1 : a.day > b.day ? -1 : b.count - a.count)

const summarizeSignals = (all: Assistants, wanted: string | undefined, daily: boolean): typeof Signals.Type => {
  const assistants = all.filter((one) => wanted === undefined || one.assistant === wanted)
  const rows = daily
    ? listByDay(assistants)
    : assistants.map(({ assistant, count, name }) => ({ assistant, name, count }))
  const shown = takeFitting(rows, rowsBudget / 2)
  return {
    total: assistants.reduce((sum, { count }) => sum + count, 0),
    rows: shown,
    rows_cut: shown.length < rows.length
  }
}

export const getAiTraffic = defineTool({
  name: "get_ai_traffic",
  title: "AI traffic",
  description: [
    "Visits to the organization's site that AI assistants sent, counted from its web server logs: referrer signals, and visits carrying only an AI tag. The two are separate and must never be added up.",
    "Use when: someone asks whether AI assistants bring visitors, and which ones.",
    "Do not use for: what assistants say (get_answer_archive), or crawlers, which are no visits.",
    "The numbers are lower bounds. Example: {\"from\": \"2026-03-01\", \"to\": \"2026-03-31\", \"group_by\": \"day\"}"
  ].join("\n"),
  input: Schema.Struct({
    from: Schema.optionalKey(dayArgument("from")),
    to: Schema.optionalKey(dayArgument("to")),
    assistant: Schema.optionalKey(
      Schema.String.annotate({ description: "Only this assistant, by the id in rows, e.g. chatgpt" })
    ),
    group_by: Schema.optionalKey(
      Schema.Literals(["assistant", "day"]).annotate({
        description: "Rows by assistant (default), or by day and assistant, newest first",
        message: "must be assistant or day"
      })
    )
  }),
  output: Output,
  handle: ({ assistant, from = null, group_by, to = null }, organizationId) =>
    readAiTraffic(organizationId, wholeHistory, { from, to, pages: 0 }).pipe(
      Effect.map((traffic): ToolOutput<Traffic> => {
        const daily = group_by === "day"
        const referrer = summarizeSignals(traffic.referrerSignals.assistants, assistant, daily)
        const tagOnly = summarizeSignals(traffic.tagOnlyVisits.assistants, assistant, daily)
        const madeUp = traffic.sourceVersions.some(isSimulatedSource)
        const nothing = referrer.total + tagOnly.total === 0
        return {
          structured: {
            status: nothing ? "no_data" : "ok",
            from,
            to,
            first_day: traffic.firstDay,
            last_day: traffic.lastDay,
            referrer_signals: referrer,
            ai_tag_only_visits: tagOnly,
            lower_bound_reasons: traffic.lowerBound.reasons,
            ...simulatedJson(madeUp)
          },
          sentence: nothing
            ? "No AI traffic is known for this range; logs are read with `sov traffic import`."
            : `${madeUp ? "SIMULATED: " : ""}${pluralized(referrer.total, "referrer signal")}; separately, ${
              pluralized(tagOnly.total, "visit")
            } with only an AI tag.`
        }
      }),
      Effect.catchTag("Rejected", () => new ToolRefusal({ message: "from must not be later than to." }))
    )
})
