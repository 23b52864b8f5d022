import { Effect } from "effect"
import {
  type BusinessCard,
  type CardEdit,
  type CardField,
  type CardValue,
  sameCardValue
} from "../../domain/card/BusinessCard.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { BusinessCardStore } from "../../ports/BusinessCardStore.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { recordActs } from "../audit/recordActs.ts"
import { now } from "../now.ts"

/** A fact to enter. */
export interface EnteredFact {
  readonly field: CardField
  /** A checked value (`@sov/core/business-card`); null clears the field. */
  readonly value: CardValue | null
  /** Null keeps the present source if the value stays the same; otherwise it means the source of the edit. */
  readonly source: string | null
  /**
   * When the fact was last known to be true; null means now. A future time counts as now. An unchanged value keeps its
   * own time if that is later.
   */
  readonly updatedAt: Date | null
}

/** How facts are applied to the card. */
export interface CardEditOptions {
  /** The source of facts that name no source. */
  readonly source: string
  /** Also clears every field for which no fact is given. */
  readonly replace?: boolean
  /** Only returns the changes, and stores nothing. */
  readonly dryRun?: boolean
}

/** The result of an edit for one field. */
export interface CardEdited extends CardEdit {
  readonly previous: CardValue | null
}

const makeEdits = (
  card: BusinessCard,
  facts: ReadonlyArray<EnteredFact>,
  { replace, source }: CardEditOptions,
  at: Date
): ReadonlyArray<CardEdited> => {
  const given = new Set(facts.map(({ field }) => field))
  const left: ReadonlyArray<EnteredFact> = replace === true
    ? [...card.keys()].filter((field) => !given.has(field))
      .map((field) => ({ field, value: null, source: null, updatedAt: null }))
    : []
  return [...facts, ...left].flatMap((fact) => {
    const before = card.get(fact.field)
    const previous = before?.value ?? null
    if (fact.value === null && previous === null) return []
    const stays = before !== undefined && sameCardValue(before.value, fact.value)
    const known = fact.updatedAt === null || fact.updatedAt > at ? at : fact.updatedAt
    return [{
      field: fact.field,
      value: fact.value,
      previous,
      source: fact.source ?? (stays ? before.source : source),
      updatedAt: stays && before.updatedAt > known ? before.updatedAt : known
    }]
  })
}

/**
 * Enters facts on the business card, all of them or none. Returns the result of each edit in the given order. Clearing
 * an empty field does nothing.
 */
export const editBusinessCard = Effect.fn("editBusinessCard")(function*(
  organizationId: OrganizationId,
  facts: ReadonlyArray<EnteredFact>,
  options: CardEditOptions
) {
  const store = yield* BusinessCardStore
  const { run } = yield* Transaction
  return yield* run(Effect.gen(function*() {
    const card = yield* store.lock(organizationId)
    const changedAt = yield* now
    const edits = makeEdits(card, facts, options, changedAt)
    if (options.dryRun === true || edits.length === 0) return edits
    yield* store.append(organizationId, edits, changedAt)
    yield* recordActs(organizationId, [
      { action: "card.edited", subjectId: organizationId, detail: { fields: edits.map(({ field }) => field) } }
    ])
    return edits
  }))
})
