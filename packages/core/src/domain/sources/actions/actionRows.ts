/** The answers that the rules of actions compare, and the evidence that every rule lists. */
import type { AnswerId } from "../../ids.ts"
import type { CitingRow } from "../citing.ts"
import { type Action, minActionAnswers } from "./Action.ts"

/** A page that an answer's platform read, and whether the answer cites it. */
export interface ReadPage {
  readonly own: boolean
  readonly page: string
  readonly cited: boolean
}

/** An answer with all fields that the rules need. */
export interface ActionRow extends CitingRow {
  readonly answerId: AnswerId
  readonly createdAt: Date
  /** Pages that the platform cited or read; null if the platform does not report what it reads. */
  readonly read: ReadonlyArray<ReadPage> | null
  /** The untracked names that its text contains (`listWrittenNames`); null if the text was not read. */
  readonly written: ReadonlySet<string> | null
}

const shownExamples = 5
/** Minimum number of scans, and of keywords, in which something must recur. */
const minScans = 2
const minKeywords = 2

export const makeCellKey = ({ keywordId, platform }: CitingRow): string => `${platform} ${keywordId}`
export const distinct = <A>(values: Iterable<A>): ReadonlyArray<A> => [...new Set(values)]
export const percent = (part: number, whole: number): number => whole === 0 ? 0 : 100 * part / whole

type Evidence = Pick<Action, "keywords" | "platforms" | "answers" | "examples">

export const evidenceOf = (rows: ReadonlyArray<ActionRow>): Evidence => ({
  keywords: distinct(rows.map(({ keywordId }) => keywordId)),
  platforms: distinct(rows.map(({ platform }) => platform)),
  answers: rows.length,
  examples: rows.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime()).slice(0, shownExamples)
    .map(({ answerId }) => answerId)
})

/** Whether there are enough of these answers, from several scans and to several questions. */
export const isRecurring = (rows: ReadonlyArray<ActionRow>): boolean =>
  rows.length >= minActionAnswers && distinct(rows.map(({ scanId }) => scanId)).length >= minScans &&
  distinct(rows.map(({ keywordId }) => keywordId)).length >= minKeywords
