/** The actions of an archive at one moment, as they are kept: reading up to eight scans and the card takes seconds. */
import { Schema } from "effect"
import { CompetitorId, KeywordId, ScanId } from "../../ids.ts"
import { Action } from "./Action.ts"

/** Another number forms what is kept again: it changes with the rules, and with this shape. */
export const actionRulesVersion = 1

/** More than are listed, so that others follow those that are done; not all that a hostile archive could hold. */
export const maxFoundActions = 50

export const FoundReport = Schema.Struct({
  version: Schema.Literal(actionRulesVersion),
  /** What it was formed of: another text means other answers, names or facts. */
  basis: Schema.String,
  /** Newest first. */
  scans: Schema.NonEmptyArray(ScanId),
  simulated: Schema.Boolean,
  /** When the oldest of the scans began, and when the newest ended, in milliseconds. */
  since: Schema.Number,
  asOf: Schema.Number,
  answers: Schema.Int,
  /** At most `maxFoundActions`: those about facts first, then by the number of answers behind them. */
  actions: Schema.Array(Action),
  candidates: Schema.Int,
  /** Of those that were marked done when it was formed. */
  again: Schema.Array(Schema.Struct({ id: Action.fields.id, markedAt: Schema.Number })),
  /** The names that the actions speak of. */
  keywords: Schema.Array(Schema.Struct({ id: KeywordId, text: Schema.String })),
  competitors: Schema.Array(Schema.Struct({ id: CompetitorId, name: Schema.String }))
})
export type FoundReport = typeof FoundReport.Type
