/**
 * What to do next, with receipts: each action comes from a rule whose figures differ from chance (docs/actions.md),
 * with the answers and pages behind it, and what to expect of it. No text is written and nothing is graded.
 */
import { Schema } from "effect"
import { createHash } from "node:crypto"
import { AnswerId, CompetitorId, KeywordId } from "../../ids.ts"
import { PlatformId } from "../../platforms/Platform.ts"
import { actionRules } from "./actionNames.ts"

export { actionRules }

/** At most this number of actions is listed: more are no help. */
export const maxActions = 10
/** Fewest answers behind an action. */
export const minActionAnswers = 12

export type ActionRule = (typeof actionRules)[number]

const Points = Schema.Struct({ low: Schema.Finite, high: Schema.Finite })

/** An action with its evidence. */
export const Action = Schema.Struct({
  /** The same as long as rule and subject are. */
  id: Schema.String.check(Schema.isPattern(/^[0-9a-f]{12}$/)),
  rule: Schema.Literals(actionRules),
  /** A page, a question's id, a fact: what the action is about. */
  subject: Schema.String,
  keywords: Schema.Array(KeywordId),
  platforms: Schema.Array(PlatformId),
  rivals: Schema.Array(CompetitorId),
  /** The number of answers behind it, and up to five of them, newest first. */
  answers: Schema.Int,
  examples: Schema.Array(AnswerId),
  /** Of the answers concerned, how many per cent show what is wanted, and of those that they are compared with. */
  here: Schema.Finite,
  elsewhere: Schema.Finite,
  /** What could be gained on the questions concerned, in points: 95 % interval of an association, not of a cause. */
  effect: Schema.NullOr(Points),
  /** How rarely chance alone gives such figures, before the gate over all candidates. */
  probability: Schema.Finite
})
export type Action = typeof Action.Type

/** The id of an action: 12 hexadecimal digits. */
export const actionId = (rule: ActionRule, subject: string): string =>
  createHash("sha256").update(`${rule} ${subject}`).digest("hex").slice(0, 12)
