/** Stores the actions of an archive at one moment, because reading up to eight scans and the card takes seconds. */
import { Schema } from "effect"
import { CompetitorId, KeywordId, ScanId } from "../../ids.ts"
import { Action } from "./Action.ts"

/**
 * Change this number with each change of the rules or of this shape; stored reports of other versions are computed
 * again.
 */
export const actionRulesVersion = 1

/**
 * Maximum number of stored actions: more than are listed, so that others follow those marked done, but limited, because
 * an archive may be hostile.
 */
export const maxFoundActions = 50

export const FoundReport = Schema.Struct({
  version: Schema.Literal(actionRulesVersion),
  /** Identifies the input of the report: another text means other answers, names or facts. */
  basis: Schema.String,
  /** Newest first. */
  scans: Schema.NonEmptyArray(ScanId),
  simulated: Schema.Boolean,
  /** `since` is the start of the oldest scan, `asOf` the end of the newest one, both in epoch milliseconds. */
  since: Schema.Number,
  asOf: Schema.Number,
  answers: Schema.Int,
  /** At most `maxFoundActions`: actions about facts first, then by number of answers, most first. */
  actions: Schema.Array(Action),
  candidates: Schema.Int,
  /** Actions that were marked done when the report was computed and that later answers show again. */
  again: Schema.Array(Schema.Struct({ id: Action.fields.id, markedAt: Schema.Number })),
  /** The names of the questions and competitors in the actions. */
  keywords: Schema.Array(Schema.Struct({ id: KeywordId, text: Schema.String })),
  competitors: Schema.Array(Schema.Struct({ id: CompetitorId, name: Schema.String }))
})
export type FoundReport = typeof FoundReport.Type
