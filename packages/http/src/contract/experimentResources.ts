/** Bodies of the operations on experiments. */
import { maxPlanText } from "@sov/core/contract"
import { Schema } from "effect"
import { Count } from "./numbers.ts"
import { Id, Platform, StartScan, Time } from "./resources.ts"

/** The plan of an experiment that a client registers. */
export const NewExperiment = Schema.Struct({
  name: Schema.String.annotate({ description: "1 to 200 characters" }),
  change: Schema.String.annotate({
    description: `What will be changed for the treated topics, in one line of at most ${maxPlanText} characters`
  }),
  from: Schema.String.annotate({ format: "date", description: "Day of the change in UTC, tomorrow at the earliest" }),
  until: Schema.String.annotate({ format: "date", description: "Last day; the result is there from the day after on" }),
  keyword_ids: StartScan.fields.keyword_ids,
  tags: StartScan.fields.tags,
  scans: Schema.optionalKey(Schema.Int.annotate({ description: "Scans from the change on that count, 1 to 20; 4" }))
}).annotate({ identifier: "NewExperiment" })

const Points = Schema.NullOr(Schema.Finite)
const PointsInterval = Schema.NullOr(Schema.Struct({ low: Schema.Finite, high: Schema.Finite })).annotate({
  description: "95 % interval of the effect, points; null before the end and without a verdict"
})

const experimentFields = {
  id: Id,
  name: Schema.String,
  change: Schema.String,
  from: Schema.String,
  until: Schema.String,
  state: Schema.Literals(["planned", "running", "ended", "stopped"]),
  seal: Schema.String.annotate({ description: "Number and hash of the seal that holds the plan" }),
  sealed_at: Time,
  seed: Schema.String.annotate({ description: "Seed of the draw" }),
  power: Schema.Struct({
    rise: Points.annotate({ description: "The smallest rise, in points, that is called one with this probability" }),
    probability: Schema.Finite,
    topics: Count,
    scans_before: Count,
    scans_after: Count
  }),
  stopped: Schema.NullOr(Schema.Struct({ at: Time, reason: Schema.String }))
}

export const Experiment = Schema.Struct(experimentFields).annotate({ identifier: "Experiment" })

export const ExperimentList = Schema.Struct({
  experiments: Schema.Array(Experiment).annotate({ description: "Newest first" })
}).annotate({ identifier: "ExperimentList" })

/** An experiment with its draw and progress, and its result once it has ended. */
export const ExperimentDetail = Schema.Struct({
  ...experimentFields,
  pairs: Schema.Array(Schema.Struct({ treated: Schema.Array(Id), held_out: Schema.Array(Id) })),
  progress: Schema.Struct({ scans_before: Count, scans_after: Count }),
  breaks: Schema.Array(
    Schema.Struct({ platform: Platform, reason: Schema.String, before: Schema.String, after: Schema.String })
  ).annotate({ description: "Platforms that have changed since: they leave it without a verdict" }),
  result_at: Time,
  verdict: Schema.NullOr(Schema.Literals(["rise", "fall", "no_effect", "broken"])).annotate({
    description: "Null before the end, and of one that was ended early"
  }),
  sentence: Schema.String,
  broken: Schema.NullOr(Schema.String).annotate({ description: "Why there is no verdict after the end" }),
  effect: Points.annotate({ description: "What the treated topics gained beyond those held out, points" }),
  interval: PointsInterval,
  placebo: Schema.NullOr(Schema.Struct({ effect: Points, interval: PointsInterval })),
  platforms: Schema.Array(Schema.Struct({ platform: Platform, effect: Points, interval: PointsInterval }))
}).annotate({ identifier: "ExperimentDetail" })

export const EndExperiment = Schema.Struct({
  reason: Schema.String.annotate({ description: "Why it ends before its time; it is sealed" })
}).annotate({ identifier: "EndExperiment" })
