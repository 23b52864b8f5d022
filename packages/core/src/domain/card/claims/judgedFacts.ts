/**
 * The facts of a business card that no rule can compare with answers, because their values are free text. Only a judge
 * (`ports/Judge.ts`) can decide on them.
 */
import { createHash } from "node:crypto"
import { canonicalJson } from "../../canonicalJson.ts"
import type { AnswerId } from "../../ids.ts"
import { type BusinessCard, type CardField, cardFieldNames, type CardItem } from "../BusinessCard.ts"
import { isLeader } from "./checkedFacts.ts"

/** Version of the question to the judge; after a change, all facts are judged again. */
const judgeVersion = 2

/** Maximum number of facts that the judge decides on, in the order of the card. */
export const maxJudgedFacts = 40
/**
 * Maximum length of a judged answer in UTF-16 code units. Longer answers are not judged, because shortening could
 * remove the relevant passage.
 */
export const maxJudgedLength = 60_000
/** Bounds of the length of a quote, in UTF-16 code units: almost any answer contains some shorter quote. */
export const minQuoteLength = 12
export const maxQuoteLength = 600
/** Minimum length of a quote in scripts that write words with few letters and without spaces. */
const minDenseLength = 4
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

/** A fact for the judge. */
export interface JudgedFact {
  /** The name of the card's field, followed by the name of the item in a field with several. */
  readonly name: string
  readonly says: string
  /** sha256 (hex) of the brand, name, value and `judgeVersion`. Decisions with another hash do not apply. */
  readonly hash: string
}

/**
 * What a judge said about a fact in an answer. `unusable`: it refuses to read this answer, so it has decided nothing.
 */
export type JudgeVerdict = "agrees" | "contradicts" | "not_stated" | "unusable"

/** A judge's decision on one fact and one answer, as archived. */
export interface CardDecision {
  readonly answerId: AnswerId
  readonly factHash: JudgedFact["hash"]
  readonly fact: JudgedFact["name"]
  readonly says: JudgedFact["says"]
  readonly verdict: JudgeVerdict
  /** The passage that the judge quotes, unchanged; null if the verdict needs no quote. */
  readonly quote: string | null
  /**
   * Position of the quote in the answer, in UTF-16 code units; null if there is no valid quote, in which case a verdict
   * that needs one is discarded.
   */
  readonly start: number | null
  /** The judge's platform and model. */
  readonly judgedBy: string
  readonly judgedAt: Date
}

type Said = readonly [name: string, says: string]

const partsOf = (item: CardItem, members: ReadonlyArray<string>): string =>
  typeof item === "string"
    ? item
    : [item.name, ...members.flatMap((member) => item[member] ?? [])].filter((text) => text !== "").join(", ")

const whole = (field: CardField, item: CardItem): ReadonlyArray<Said> => [[field, partsOf(item, [])]]
const each = (...members: ReadonlyArray<string>) => (field: CardField, item: CardItem): ReadonlyArray<Said> => {
  const name = typeof item === "string" ? item : item.name
  return [[`${field}: ${name}`, partsOf(item, members)]]
}

const readers: { readonly [F in CardField]?: (field: CardField, item: CardItem) => ReadonlyArray<Said> } = {
  legal_name: whole,
  description: whole,
  slogan: whole,
  street_address: whole,
  region: whole,
  offerings: each("description"),
  facts: (field, item) =>
    typeof item !== "string" && item["type"] === "text" ? [[`${field}: ${item.name}`, item["value"] ?? ""]] : [],
  leaders: (field, item) => isLeader(item) ? [] : each("job_title")(field, item),
  awards: each(),
  memberships: each()
}

/** The facts of a card that a judge can decide on, in the order of the card. Each name occurs once. */
export const judgedFacts = (card: BusinessCard, brand: string): ReadonlyArray<JudgedFact> => {
  const facts = new Map<string, JudgedFact>()
  for (const field of cardFieldNames) {
    for (const item of card.get(field)?.value ?? []) {
      for (const [name, says] of readers[field]?.(field, item) ?? []) {
        const hash = createHash("sha256").update(canonicalJson([judgeVersion, brand, name, says])).digest("hex")
        if (!facts.has(name)) facts.set(name, { name, says, hash })
      }
    }
  }
  return [...facts.values()]
}

/** A judge's reply about a fact that the answer states. */
export interface FactReply {
  /** Index of the fact in the question. */
  readonly fact: number
  readonly verdict: "agrees" | "contradicts"
  readonly quote: string
}

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase()

/** Whether a quote is long enough to state something, and contains more than the brand's name. */
const isStatement = (quote: string, brand: string): boolean => {
  const letters = lettersOf(quote)
  return quote.length >= (dense.test(quote) ? minDenseLength : minQuoteLength) && letters !== "" &&
    letters !== lettersOf(brand)
}

/**
 * The decisions on all facts of one answer. A fact without a reply is not stated; `replies` null means that the judge
 * does not read this answer. A quote counts only if it states something and the answer has it character by character.
 */
export const decideFacts = (
  brand: string,
  facts: ReadonlyArray<JudgedFact>,
  answer: { readonly answerId: AnswerId; readonly rawResponse: string },
  replies: ReadonlyArray<FactReply> | null,
  by: Pick<CardDecision, "judgedBy" | "judgedAt">
): ReadonlyArray<CardDecision> =>
  facts.map(({ hash, name, says }, index): CardDecision => {
    const reply = replies?.find(({ fact }) => fact === index)
    const quote = reply?.quote.trim() ?? ""
    const at = isStatement(quote, brand) ? answer.rawResponse.indexOf(quote) : -1
    return {
      answerId: answer.answerId,
      factHash: hash,
      fact: name,
      says,
      verdict: replies === null ? "unusable" : reply?.verdict ?? "not_stated",
      quote: reply === undefined ? null : quote,
      start: at === -1 ? null : at,
      ...by
    }
  })

/**
 * What the store keeps under these hashes marks the first and the second unreadable reply to the question about an
 * answer. They differ from the hashes of facts, so no reader counts the marks as decisions; another judge, card or
 * `judgeVersion` has marks of its own.
 */
export const unreadableMarks = (facts: ReadonlyArray<JudgedFact>, judgedBy: string): ReadonlyArray<JudgedFact> =>
  [1, 2].map((attempt) => {
    const parts = ["unreadable", judgeVersion, judgedBy, ...facts.map(({ hash }) => hash), attempt]
    const hash = createHash("sha256").update(canonicalJson(parts)).digest("hex")
    return { name: "unreadable reply", says: String(attempt), hash }
  })

/** Whether the judge's decision was discarded: it does not read the answer, or its quote does not count. */
export const isDiscarded = ({ quote, start, verdict }: Pick<CardDecision, "quote" | "start" | "verdict">): boolean =>
  verdict === "unusable" || (quote !== null && start === null)
