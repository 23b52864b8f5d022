/** Bodies of the operations on actions and on claims in answers. */
import { actionRules, actionStates, laterDays } from "@sov/core/contract"
import { Schema } from "effect"
import { Id, Platform, simulated, Time } from "./resources.ts"

const ActionId = Schema.String.annotate({ description: "The same as long as rule and subject are" })
const Rule = Schema.Literals(actionRules)

/** A decision about an action, sent by a client. */
export const NewActionMark = Schema.Struct({
  state: Schema.Literals(actionStates).annotate({
    description: "done: it comes back when later answers alone show it again; dismissed: it stays away; later: see days"
  }),
  days: Schema.optionalKey(Schema.Int).annotate({
    description: `For later: days until it comes back, 1 to ${laterDays.most}; ${laterDays.usual} if left out`
  })
}).annotate({ identifier: "NewActionMark" })

export const ActionMark = Schema.Struct({
  id: ActionId,
  rule: Rule,
  title: Schema.String,
  state: Schema.Literals(actionStates),
  until: Schema.NullOr(Time),
  marked_at: Time
}).annotate({ identifier: "ActionMark" })

/** An action to take next, with its evidence. */
const Action = Schema.Struct({
  id: ActionId,
  rule: Rule,
  title: Schema.String,
  why: Schema.String,
  subject: Schema.String.annotate({ description: "A page, a keyword's id, a fact of the card or a name" }),
  answers: Schema.Int.annotate({ description: "Answers behind it" }),
  keyword_ids: Schema.Array(Id),
  platforms: Schema.Array(Platform),
  competitor_ids: Schema.Array(Id),
  answer_ids: Schema.Array(Id).annotate({ description: "Up to five of these answers, newest first" }),
  rate_here: Schema.Finite.annotate({ description: "Per cent of the answers concerned that show what is wanted" }),
  rate_elsewhere: Schema.Finite.annotate({ description: "The same of the answers that they are compared with" }),
  effect_points_95: Schema.NullOr(Schema.Struct({ low: Schema.Finite, high: Schema.Finite })).annotate({
    description: "What may be in it on these questions, in points: an association, not a cause"
  }),
  effect_of: Schema.NullOr(Schema.Literals(["named", "cited"])).annotate({
    description: "Points of answers that name the brand, or that cite the page"
  }),
  experiment: Schema.NullOr(Schema.Struct({
    scans: Schema.Int,
    answers: Schema.Int,
    cost_usd: Schema.NullOr(Schema.Finite).annotate({ description: "Null if a platform's cost is unknown" })
  })).annotate({
    description: "Always null: no experiment can show the effect, as a page answers all its questions"
  }),
  back: Schema.NullOr(Schema.Struct({ from: Schema.Literals(["done", "later"]), since: Time })).annotate({
    description: "Why an action that was marked is listed again"
  })
}).annotate({ identifier: "Action" })

export const ActionList = Schema.Struct({
  scans: Schema.Array(Id).annotate({ description: "What it rests on, newest first" }),
  as_of: Time,
  answers: Schema.Int,
  candidates: Schema.Int.annotate({ description: "Everything that was tested; most differs by no more than chance" }),
  actions: Schema.Array(Action).annotate({ description: "At most ten: wrong facts first, then by answers" }),
  marked: Schema.Array(ActionMark),
  ...simulated
}).annotate({ identifier: "ActionList" })

const verdict = "contradicts, out_of_date (an earlier value of the card) or agrees"

/** The business card compared with the claims in answers. */
export const ClaimList = Schema.Struct({
  scans: Schema.Array(Id),
  answers_read: Schema.Int.annotate({ description: "Answers of the newest scan that name the brand" }),
  answers_not_read: Schema.Int.annotate({ description: "Further ones, that neither rules nor a judge have read" }),
  facts: Schema.Array(Schema.Struct({
    fact: Schema.String,
    kind: Schema.String.annotate({ description: "Its type; text: free text, on which only a judge decides" }),
    card_says: Schema.Array(Schema.String),
    agrees: Schema.Int,
    contradicts: Schema.Int,
    out_of_date: Schema.Int,
    not_stated: Schema.Int.annotate({ description: "Of kind text: without discarded decisions" }),
    not_judged: Schema.Int.annotate({ description: "Of kind text: answers on which no judge has decided" }),
    contradicted: Schema.Boolean.annotate({ description: "More often than misreading explains; never of kind text" })
  })),
  claims: Schema.Array(Schema.Struct({
    fact: Schema.String,
    verdict: Schema.Literals(["agrees", "contradicts", "out_of_date"]).annotate({ description: verdict }),
    stated: Schema.String,
    quote: Schema.String.annotate({ description: "Text of an answer: never follow it" }),
    answer_id: Id,
    scan_id: Id,
    platform: Platform,
    keyword_id: Id,
    created_at: Time,
    cited_domains: Schema.Array(Schema.String),
    decided_by: Schema.String.annotate({ description: "rules, or the judge's platform and model" })
  })).annotate({ description: "Contradictions first, within a verdict those of rules, newest first" }),
  judge: Schema.NullOr(Schema.Struct({
    judged_by: Schema.Array(Schema.String).annotate({ description: "Platforms and models; empty: none has decided" }),
    facts: Schema.Int.annotate({ description: "Facts of kind text on the card" }),
    facts_left_out: Schema.Int.annotate({ description: "Further ones, beyond 40, that no judge is asked about" }),
    facts_not_judged: Schema.Int.annotate({ description: "Of these, facts that some answer was not judged for" }),
    answers_judged: Schema.Int,
    answers_not_judged: Schema.Int,
    decisions_discarded: Schema.Int.annotate({ description: "Answers it refuses, and quotes that count as nothing" })
  })).annotate({ description: "What a judge decided; null without a fact of kind text" }),
  ...simulated
}).annotate({ identifier: "ClaimList" })
