/** The business card as clients see it: the tool server's `get_business_card`, and `sov card show --json`. */
import {
  type CardChange,
  type CardField,
  cardFieldNames,
  cardFields,
  type CardItem,
  type CardValue,
  cardVerb
} from "../domain/card/BusinessCard.ts"
import { type BusinessCardReport, factFreshness } from "../domain/card/BusinessCardTrust.ts"
import { roundHalfUp } from "../domain/scoring/Score.ts"
import { isSimulatedSource } from "../domain/simulatedSource.ts"
import { simulatedJson } from "./simulated.ts"

/** The trust score of the card: score, components, groups, attestation. Factors are 0–1 with four decimals. */
export const businessCardStatusJson = ({ attestation, attestationState, card, hash, trust }: BusinessCardReport) => ({
  trust_score: trust.score,
  components: {
    completeness: roundHalfUp(trust.completeness, 4),
    freshness: roundHalfUp(trust.freshness, 4),
    attestation: trust.attestation
  },
  attestation: attestationState,
  attested_by: attestation?.by ?? null,
  attested_at: attestation?.at.toISOString() ?? null,
  hash,
  field_groups: trust.groups.map((group) => ({
    group: group.group,
    freshness: group.freshness,
    completeness: roundHalfUp(group.completeness, 4),
    weight: group.weight,
    updated_at: group.updatedAt?.toISOString() ?? null,
    stale_at: group.staleAt?.toISOString() ?? null,
    missing: group.missing
  })),
  ...simulatedJson([...card.values()].some(({ source }) => isSimulatedSource(source)))
})

const itemJson = (field: CardField, item: CardItem): CardItem | number =>
  cardFields[field].kind === "integer" ? Number(item) : item

/** The value of a field: a list if the field accepts several items, otherwise the item itself. */
export type CardValueJson = CardValue | CardItem | number | null

const valueJson = (field: CardField, value: CardValue | null): CardValueJson =>
  value === null || cardFields[field].many ? value : itemJson(field, value[0]!)

/** The card's status and every filled field. */
export const businessCardJson = (report: BusinessCardReport) => ({
  ...businessCardStatusJson(report),
  fields: cardFieldNames.flatMap((field) => {
    const fact = report.card.get(field)
    return fact === undefined ? [] : [{
      field,
      group: cardFields[field].group,
      value: valueJson(field, fact.value),
      source: fact.source,
      updated_at: fact.updatedAt.toISOString(),
      freshness: factFreshness(field, fact, report.at)
    }]
  })
})
export type BusinessCardJson = ReturnType<typeof businessCardJson>

/** An edit that was made or would be made. */
export const cardEditedJson = (edit: Pick<CardChange, "field" | "previous" | "source" | "updatedAt" | "value">) => ({
  field: edit.field,
  change: cardVerb(edit),
  value: valueJson(edit.field, edit.value),
  previous: valueJson(edit.field, edit.previous),
  source: edit.source,
  updated_at: edit.updatedAt.toISOString()
})

/** A line of the history. */
export const cardChangeJson = (change: CardChange) => ({
  changed_at: change.changedAt.toISOString(),
  ...cardEditedJson(change)
})
