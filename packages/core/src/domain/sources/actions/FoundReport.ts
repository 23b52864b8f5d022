/** Stores the actions of an archive as of one moment, because reading up to eight scans and the card takes seconds. */
import { Schema } from "effect"
import { CompetitorId, KeywordId, ScanId } from "../../ids.ts"
import { Action } from "./Action.ts"

/**
 * Increase this number with each change of the rules or of this shape; stored reports of other versions are computed
 * again.
 */
export const actionRulesVersion = 4

/**
 * Maximum number of stored actions. It is larger than the list, so that others take the place of those marked as done,
 * but limited, because an archive may be hostile.
 */
export const maxFoundActions = 50

export const FoundReport = Schema.Struct({
  version: Schema.Literal(actionRulesVersion),
  /** Identifies the input of the report: a different text means that answers, names or facts have changed. */
  basis: Schema.String,
  /** The scans, newest first. */
  scans: Schema.NonEmptyArray(ScanId),
  simulated: Schema.Boolean,
  /** `since` is the start of the oldest scan, `asOf` the end of the newest one, both in epoch milliseconds. */
  since: Schema.Number,
  asOf: Schema.Number,
  answers: Schema.Int,
  /** At most `maxFoundActions` actions: those about facts first, then by descending number of answers. */
  actions: Schema.Array(Action),
  candidates: Schema.Int,
  /** Actions that had been marked as done when the report was computed and that later answers show again. */
  again: Schema.Array(Schema.Struct({ id: Action.fields.id, markedAt: Schema.Number })),
  /** The names of the questions and competitors in the actions. */
  keywords: Schema.Array(Schema.Struct({ id: KeywordId, text: Schema.String })),
  competitors: Schema.Array(Schema.Struct({ id: CompetitorId, name: Schema.String }))
})
export type FoundReport = typeof FoundReport.Type
