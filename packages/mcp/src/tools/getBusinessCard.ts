import { businessCardStatusJson, readBusinessCard } from "@sov/core/card"
import { Effect, Schema } from "effect"
import { Count, simulated, Time } from "../parameters.ts"
import { defineTool } from "../Tool.ts"

const Factor = Schema.Finite.annotate({ description: "0 to 1" })

export const getBusinessCard = defineTool({
  name: "get_business_card",
  title: "Business card",
  description: [
    "How the organization's business card (structured facts about it) stands: trust score 0-100, freshness of each field group, and when it was attested.",
    "Use when: someone asks whether the facts about the company are complete, current or confirmed.",
    "Do not use for: what AI platforms say about the company (get_answer_archive).",
    "Takes no arguments. Example: {}"
  ].join("\n"),
  input: Schema.Struct({}),
  output: Schema.Struct({
    status: Schema.Literals(["ok", "empty"]).annotate({ description: "empty: no fact was entered yet" }),
    trust_score: Count.annotate({ description: "0 to 100" }),
    components: Schema.Struct({ completeness: Factor, freshness: Factor, attestation: Factor }),
    attestation: Schema.Literals(["attested", "outdated", "never"]).annotate({
      description: "outdated: the card was edited after it was attested"
    }),
    attested_by: Schema.NullOr(Schema.String),
    attested_at: Schema.NullOr(Time),
    hash: Schema.String,
    field_groups: Schema.Array(Schema.Struct({
      group: Schema.String,
      freshness: Schema.Literals(["fresh", "aging", "stale", "missing"]),
      completeness: Factor,
      weight: Schema.Finite.annotate({ description: "Per cent of the score" }),
      updated_at: Schema.NullOr(Time).annotate({ description: "Of its oldest fact" }),
      stale_at: Schema.NullOr(Time),
      missing: Schema.Array(Schema.String).annotate({ description: "Expected fields without a value" })
    })),
    ...simulated
  }),
  handle: (_, organizationId) =>
    Effect.map(readBusinessCard(organizationId), (report) => {
      const status = businessCardStatusJson(report)
      const empty = report.card.size === 0
      return {
        structured: { status: empty ? "empty" as const : "ok" as const, ...status },
        sentence: empty
          ? "The business card is empty; facts are entered with `sov card set` or `sov card import`."
          : `${
            status.simulated === true ? "SIMULATED: " : ""
          }Trust score ${status.trust_score} of 100; attestation: ${status.attestation}.`
      }
    })
})
