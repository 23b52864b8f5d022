/**
 * How far a business card can be trusted (docs/business-card.md):
 * score = round(100 × completeness × (0.7 + 0.3 × freshness) × attestation), completeness and freshness weighted by
 * group; a group is as fresh as its oldest fact.
 */
import { roundHalfUp } from "../scoring/Score.ts"
import {
  type BusinessCard,
  type CardAttestation,
  type CardFact,
  type CardField,
  cardFieldNames,
  cardFields,
  type CardGroup,
  cardGroups,
  cardHash,
  type CardItem
} from "./BusinessCard.ts"

/** `fresh`, then `aging` after two thirds of the age limit, then `stale`; `missing`: there is no fact. */
export type Freshness = "fresh" | "aging" | "stale" | "missing"

/** The value of each state in the score. */
export const freshnessValues: { readonly [F in Freshness]: number } = { fresh: 1, aging: 0.5, stale: 0, missing: 0 }

/**
 * The group's weight in percent and the age limit of its facts in days; a credential with an expiry date uses that date
 * instead.
 */
export const cardGroupRules: { readonly [G in CardGroup]: { readonly weight: number; readonly limitDays: number } } = {
  identity: { weight: 25, limitDays: 365 },
  contact: { weight: 20, limitDays: 365 },
  web: { weight: 20, limitDays: 90 },
  offerings: { weight: 15, limitDays: 180 },
  people: { weight: 10, limitDays: 180 },
  credentials: { weight: 10, limitDays: 365 }
}

/** `outdated`: the card has changed since it was attested. */
export type AttestationState = "attested" | "outdated" | "never"

/** The factor by which each state multiplies the score. */
export const attestationFactors: { readonly [S in AttestationState]: number } = {
  attested: 1,
  outdated: 0.9,
  never: 0.8
}

/** The part of the age limit after which a fact is `aging`. */
const agingFrom = 2 / 3
const dayMs = 86_400_000
/** The end of the last year that has four digits. */
const latest = Date.UTC(10_000, 0, 1) - 1

interface Terms {
  readonly agingAt: number
  readonly staleAt: number
}

const between = (start: number, end: number): Terms => ({ agingAt: start + (end - start) * agingFrom, staleAt: end })

/**
 * The period in which an item is valid. For a credential with an expiry date: from its `validFrom` day, or else the
 * time of its entry, to the end of the expiry day (UTC).
 */
const termsOfItem = (item: CardItem, updatedAt: number, limitDays: number): Terms => {
  if (typeof item === "string" || item["expires"] === undefined) {
    return between(updatedAt, updatedAt + limitDays * dayMs)
  }
  const from = item["valid_from"]
  const end = Math.min(Date.parse(item["expires"]) + dayMs, latest)
  return between(Math.min(from === undefined ? updatedAt : Date.parse(from), end), end)
}

const earliest = (terms: ReadonlyArray<Terms>): Terms => ({
  agingAt: Math.min(...terms.map(({ agingAt }) => agingAt)),
  staleAt: Math.min(...terms.map(({ staleAt }) => staleAt))
})

const termsOfFact = (field: CardField, { updatedAt, value }: CardFact): Terms =>
  earliest(
    value.map((item) => termsOfItem(item, updatedAt.getTime(), cardGroupRules[cardFields[field].group].limitDays))
  )

const stateAt = ({ agingAt, staleAt }: Terms, now: Date): Freshness =>
  now.getTime() >= staleAt ? "stale" : now.getTime() >= agingAt ? "aging" : "fresh"

/** The freshness of one fact. */
export const factFreshness = (field: CardField, fact: CardFact, now: Date): Freshness =>
  stateAt(termsOfFact(field, fact), now)

/** Completeness and freshness of one group. */
export interface GroupTrust {
  readonly group: CardGroup
  /** Percent. */
  readonly weight: number
  /** The share of the expected fields that are filled, 0–1. */
  readonly completeness: number
  readonly freshness: Freshness
  /** The time of the oldest fact; null if the group has no fact. */
  readonly updatedAt: Date | null
  /** When the group becomes (or became) stale unless a fact is confirmed; null if the group has no fact. */
  readonly staleAt: Date | null
  /** Expected fields without a value. */
  readonly missing: ReadonlyArray<CardField>
}

const groupTrust = (card: BusinessCard, group: CardGroup, now: Date): GroupTrust => {
  const names = cardFieldNames.filter((name) => cardFields[name].group === group)
  const expected = names.filter((name) => cardFields[name].expected)
  const missing = expected.filter((name) => !card.has(name))
  const facts = names.flatMap((name) => {
    const fact = card.get(name)
    return fact === undefined ? [] : [{ name, fact }]
  })
  const terms = earliest(facts.map(({ fact, name }) => termsOfFact(name, fact)))
  const empty = facts.length === 0
  return {
    group,
    weight: cardGroupRules[group].weight,
    completeness: (expected.length - missing.length) / expected.length,
    freshness: empty ? "missing" : stateAt(terms, now),
    updatedAt: empty ? null : new Date(Math.min(...facts.map(({ fact }) => fact.updatedAt.getTime()))),
    staleAt: empty ? null : new Date(terms.staleAt),
    missing
  }
}

/** The score and its components. Completeness, freshness and attestation are factors from 0 to 1. */
export interface CardTrust {
  /** Whole number, 0–100. */
  readonly score: number
  readonly completeness: number
  readonly freshness: number
  readonly attestation: number
  readonly groups: ReadonlyArray<GroupTrust>
}

/** Whether the newest attestation applies to the card in its current form. */
export const attestationState = (card: BusinessCard, attestation: CardAttestation | null): AttestationState =>
  attestation === null ? "never" : attestation.cardHash === cardHash(card) ? "attested" : "outdated"

/** The formula: computes the score, a whole number from 0 to 100, from factors from 0 to 1. */
export const trustScore = (completeness: number, freshness: number, attestation: number): number =>
  roundHalfUp(100 * completeness * (0.7 + 0.3 * freshness) * attestation, 0)

/** The trust score of a card at a time, with its components. */
export const cardTrust = (card: BusinessCard, attestation: AttestationState, now: Date): CardTrust => {
  const groups = cardGroups.map((group) => groupTrust(card, group, now))
  const weighted = (value: (group: GroupTrust) => number) =>
    groups.reduce((sum, group) => sum + group.weight * value(group), 0) / 100
  const completeness = weighted((group) => group.completeness)
  const freshness = weighted((group) => freshnessValues[group.freshness])
  const factor = attestationFactors[attestation]
  return { score: trustScore(completeness, freshness, factor), completeness, freshness, attestation: factor, groups }
}

/** A business card, and how far it can be trusted at a time. */
export interface BusinessCardReport {
  readonly card: BusinessCard
  readonly hash: string
  readonly trust: CardTrust
  readonly attestationState: AttestationState
  /** The newest attestation; null before the first. */
  readonly attestation: CardAttestation | null
  readonly at: Date
}

/** The report on a card at a time. */
export const businessCardReport = (
  card: BusinessCard,
  attestation: CardAttestation | null,
  at: Date
): BusinessCardReport => {
  const state = attestationState(card, attestation)
  return { card, hash: cardHash(card), trust: cardTrust(card, state, at), attestationState: state, attestation, at }
}
