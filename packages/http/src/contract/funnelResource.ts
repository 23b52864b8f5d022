/** Body of the operation `funnel`. */
import { Schema } from "effect"
import { Count } from "./numbers.ts"
import { Platform, simulated, Time } from "./resources.ts"

const Percent = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 }))

const Step = Schema.NullOr(
  Schema.Struct({
    answers: Count.annotate({ description: "Answers that reach this step and all before it" }),
    rate: Percent.annotate({ description: "Per cent of the answers of the funnel" }),
    interval_95: Schema.NullOr(Schema.Struct({ low: Percent, high: Percent })).annotate({
      description: "Where the rate would lie for other questions like these; null when there are too few"
    })
  })
)

const funnel = {
  answers: Count.annotate({ description: "Answers that it counts: those whose platform shows the first step" }),
  steps: Schema.Struct({
    retrieved: Step.annotate({ description: "The platform read an own page; null if it does not show this" }),
    cited: Step.annotate({ description: "The answer cites an own page; null if the platform shows no sources" }),
    named: Step.annotate({ description: "It cites an own page and names the brand" }),
    named_first: Step.annotate({ description: "It cites an own page and names the brand before any competitor" })
  }),
  named_only: Count.annotate({ description: "Answers that name the brand and cite no own page" })
}

/** How far the brand's own pages get in the answers. */
export const Funnel = Schema.Struct({
  as_of: Time,
  scans: Count,
  interval_about: Schema.String.annotate({ description: "What every interval_95 is about, in one phrase" }),
  by_platform: Schema.Array(Schema.Struct({ platform: Platform, ...funnel })),
  by_tag: Schema.Array(
    Schema.Struct({
      tag: Schema.String,
      platforms: Schema.Array(Platform).annotate({ description: "The ones counted: they show the most steps" }),
      ...funnel
    })
  ).annotate({ description: "Of each tag that keywords have now" }),
  ...simulated
}).annotate({ identifier: "Funnel" })
