/**
 * What to do next, with receipts: each action comes from a rule whose figures differ from chance (docs/actions.md),
 * with the answers and pages behind it, and what to expect of it. No text is written and nothing is graded.
 */
import { createHash } from "node:crypto"
import type { AnswerId, CompetitorId, KeywordId } from "../../ids.ts"
import type { PlatformId } from "../../platforms/Platform.ts"
import type { Interval } from "../../scoring/intervals.ts"

/** The rules, in the order in which actions of equal size are listed. */
export const actionRules = [
  "fact_contradicted",
  "page_without_you",
  "rival_leads",
  "question_lost",
  "own_page_not_cited",
  "own_page_not_naming"
] as const
export type ActionRule = (typeof actionRules)[number]

/** At most this number of actions is listed: more are no help. */
export const maxActions = 10
/** Fewest answers behind an action. */
export const minActionAnswers = 12

/** An action with its evidence. */
export interface Action {
  /** The same as long as rule and subject are. */
  readonly id: string
  readonly rule: ActionRule
  /** A page, a question's id, a fact: what the action is about. */
  readonly subject: string
  readonly keywords: ReadonlyArray<KeywordId>
  readonly platforms: ReadonlyArray<PlatformId>
  readonly rivals: ReadonlyArray<CompetitorId>
  /** The number of answers behind it, and up to five of them, newest first. */
  readonly answers: number
  readonly examples: ReadonlyArray<AnswerId>
  /** Of the answers concerned, how many per cent show what is wanted, and of those that they are compared with. */
  readonly here: number
  readonly elsewhere: number
  /** What could be gained on the questions concerned, in points: 95 % interval of an association, not of a cause. */
  readonly effect: Interval | null
  /** How rarely chance alone gives such figures, before the gate over all candidates. */
  readonly probability: number
}

/** The id of an action: 12 hexadecimal digits. */
export const actionId = (rule: ActionRule, subject: string): string =>
  createHash("sha256").update(`${rule} ${subject}`).digest("hex").slice(0, 12)
