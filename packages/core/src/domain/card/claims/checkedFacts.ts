/**
 * The facts of a business card that can be compared with answers, and the words by which answers introduce each fact.
 */
import {
  type BusinessCard,
  type CardChange,
  type CardField,
  cardFieldNames,
  type CardItem,
  type CardValue
} from "../BusinessCard.ts"
import { type ClaimKind, claimKinds, type OwnValue, readAmount } from "./values.ts"
import { cues, leaderTitlePattern, wordPattern } from "./words.ts"

/** A fact that is compared with answers. */
export interface CheckedFact {
  /** The name of the card's field; for a fact of field `facts`, followed by the name of the fact: `facts: Warranty`. */
  readonly name: string
  readonly kind: ClaimKind
  /** The accepted values: a statement of any of them agrees. */
  readonly values: ReadonlyArray<OwnValue>
  /** The values that the card contained before. */
  readonly earlier: ReadonlyArray<OwnValue>
  readonly cue: RegExp
  /** Whether a value needs no introducing words, because it shows what it is: a price, or a number with its unit. */
  readonly cueless: boolean
  /** Matches names of the fact's subject; null if the subject is the brand. */
  readonly about: RegExp | null
  /** The dimension of a number; null for counts. */
  readonly unit: string | null
  /** Whether the fact can never become out of date, such as the company's founder. */
  readonly lasting: boolean
  /**
   * Whether only sentences that contain the name are read, because the text below a heading may be about other things.
   */
  readonly inSentence: boolean
  readonly options: ReadonlyArray<{ readonly name: string; readonly pattern: RegExp }>
  /** The year in which the value became true: statements about earlier years do not concern it. */
  readonly since: number
}

const text = (value: string): OwnValue => ({ text: value, number: NaN, unit: null })
const nameOf = (item: CardItem): string => typeof item === "string" ? item : item.name
const memberOf = (item: CardItem, member: string): string | undefined =>
  typeof item === "string" ? undefined : item[member]

const splitList = (list: string | undefined): ReadonlyArray<string> =>
  (list ?? "").split(",").map((one) => one.trim()).filter((one) => one !== "")

interface Given {
  readonly values: CardValue
  readonly earlier: ReadonlyArray<CardItem>
  readonly since: number
}

const empty = { cueless: false, about: null, unit: null, lasting: false, inSentence: false, options: [] }

const plainFact = (
  name: CardField,
  kind: ClaimKind,
  cue: string,
  { earlier, since, values }: Given,
  read: (item: CardItem) => ReadonlyArray<OwnValue> = (item) => [text(nameOf(item))]
): CheckedFact => ({
  ...empty,
  name,
  kind,
  values: values.flatMap(read),
  earlier: earlier.flatMap(read),
  cue: wordPattern(cue),
  since
})

const count = (item: CardItem): ReadonlyArray<OwnValue> => {
  const own = readAmount("number", nameOf(item))
  return own === null ? [] : [own]
}

/** Whether the item of field `leaders` leads the company, so that rules read it. */
export const isLeader = (item: CardItem): boolean => leaderTitlePattern.test(memberOf(item, "job_title") ?? "")
const leader = (item: CardItem): ReadonlyArray<OwnValue> => isLeader(item) ? [text(nameOf(item))] : []

type Reader = (field: CardField, given: Given) => ReadonlyArray<CheckedFact>

/** A certificate that has not expired is a fact with the value "yes". */
const certificates: Reader = (field, { since, values }) =>
  values.map((item) => ({
    ...empty,
    name: `${field}: ${nameOf(item)}`,
    kind: "yes_no",
    values: [text("yes")],
    earlier: [],
    cue: wordPattern(`${nameOf(item).replaceAll(",", " ")}, ${nameOf(item).replaceAll(",", " ")} certified`),
    since
  }))

const isKind = (kind: string | undefined): kind is ClaimKind => claimKinds.some((one) => one === kind)

/** Reads a fact that was entered with its type: `Warranty; type=number; value=3 years; words=warranty, Garantie`. */
const typedFact = (item: CardItem, earlier: ReadonlyArray<CardItem>, year: number): ReadonlyArray<CheckedFact> => {
  const kind = memberOf(item, "type")
  const value = memberOf(item, "value")
  if (!isKind(kind) || value === undefined) return []
  const read = (one: string): ReadonlyArray<OwnValue> => {
    if (kind !== "number" && kind !== "price") return [text(one)]
    const own = readAmount(kind, one)
    return own === null ? [] : [own]
  }
  const values = read(value)
  const before = earlier.filter((one) => nameOf(one) === nameOf(item)).flatMap((one) =>
    read(memberOf(one, "value") ?? "")
  )
  const about = memberOf(item, "about")
  const words = memberOf(item, "words") ?? nameOf(item)
  const asOf = Number(memberOf(item, "as_of")?.slice(0, 4) ?? year)
  return [{
    ...empty,
    name: `facts: ${nameOf(item)}`,
    kind,
    values,
    earlier: before.filter((one) => values.every((own) => own.text !== one.text)),
    cue: wordPattern(kind === "price" ? `${words}, ${cues.price}` : words),
    cueless: kind === "price",
    about: about === undefined ? null : wordPattern(about),
    unit: values[0]?.unit ?? null,
    options: splitList(memberOf(item, "options")).map((option) => ({
      name: option.split("|")[0]!.trim(),
      pattern: wordPattern(option.replaceAll("|", ","))
    })),
    since: asOf
  }]
}

const readers: { readonly [F in CardField]?: Reader } = {
  founding_date: (field, given) => [
    plainFact(field, "year", cues.founded, given, (item) => [text(nameOf(item).slice(0, 4))])
  ],
  founders: (field, given) => [{ ...plainFact(field, "person", cues.founder, given), lasting: true }],
  employees: (field, given) => [
    { ...plainFact(field, "number", cues.employees, given, count), inSentence: true }
  ],
  locality: (field, given) => [plainFact(field, "place", cues.seat, given)],
  country: (field, given) => [plainFact(field, "place", cues.seat, given)],
  leaders: (field, given) =>
    given.values.some(isLeader) ? [plainFact(field, "person", cues.leader, given, leader)] : [],
  telephone: (field, given) => [plainFact(field, "identifier", cues.telephone, given)],
  certifications: certificates,
  facts: (_, { earlier, since, values }) => values.flatMap((item) => typedFact(item, earlier, since))
}

/**
 * The facts of a card that rules can compare with answers. `changes` are edits of the card, which show the earlier
 * values of a field.
 */
export const checkedFacts = (card: BusinessCard, changes: ReadonlyArray<CardChange>): ReadonlyArray<CheckedFact> =>
  cardFieldNames.flatMap((field) => {
    const fact = card.get(field)
    if (fact === undefined) return []
    const earlier = changes.filter((change) => change.field === field).flatMap(({ previous }) => previous ?? [])
    return readers[field]?.(field, { values: fact.value, earlier, since: fact.updatedAt.getUTCFullYear() }) ?? []
  })
