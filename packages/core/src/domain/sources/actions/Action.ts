/**
 * Suggested next steps with evidence. Each action comes from a rule whose figures differ from chance (docs/actions.md),
 * and lists the answers and pages behind it and the effect to expect. Actions write no text and grade nothing.
 */
import { Schema } from "effect"
import { createHash } from "node:crypto"
import { AnswerId, CompetitorId, KeywordId } from "../../ids.ts"
import { PlatformId } from "../../platforms/Platform.ts"
import { actionRules } from "./actionNames.ts"

export { actionRules }

/** Maximum number of listed actions; a longer list would not help. */
export const maxActions = 10
/** Number of newest comparable scans that actions are based on. */
export const actionScans = 8
/** Minimum number of answers behind an action. */
export const minActionAnswers = 12

export type ActionRule = (typeof actionRules)[number]

const Points = Schema.Struct({ low: Schema.Finite, high: Schema.Finite })

/** An action with its evidence. */
export const Action = Schema.Struct({
  /** An id that stays the same as long as the rule and the subject do. */
  id: Schema.String.check(Schema.isPattern(/^[0-9a-f]{12}$/)),
  rule: Schema.Literals(actionRules),
  /** What the action is about: a page, a question's id, a fact, or a name. */
  subject: Schema.String,
  keywords: Schema.Array(KeywordId),
  platforms: Schema.Array(PlatformId),
  rivals: Schema.Array(CompetitorId),
  /** The number of answers behind the action; `examples` contains up to five of them, newest first. */
  answers: Schema.Int,
  examples: Schema.Array(AnswerId),
  /**
   * Percentage of the answers concerned that have the wanted result; `elsewhere` is the same for the answers compared
   * with. For names both are percentages of all answers: as counted now, and with the name.
   */
  here: Schema.Finite,
  elsewhere: Schema.Finite,
  /**
   * The possible gain on the questions concerned, in points: the 95 % interval of an association, which need not be a
   * cause.
   */
  effect: Schema.NullOr(Points),
  /** The probability that chance alone gives such figures, before the correction over all candidates. */
  probability: Schema.Finite
})
export type Action = typeof Action.Type

/** The id of an action: 12 hexadecimal digits. */
export const actionId = (rule: ActionRule, subject: string): string =>
  createHash("sha256").update(`${rule} ${subject}`).digest("hex").slice(0, 12)
