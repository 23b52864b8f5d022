/** Fields and values of the business card, as they are typed and shown. */
import type { CardFault } from "@sov/core/business-card"
import { type CardField, type CardItem, cardItemText, type CardValue, type CardValueJson } from "@sov/core/card"
import { Rejected } from "@sov/core/common"
import { Effect, Result } from "effect"
import { printable } from "../../output/Output.ts"

/** What the card's rules say of an input, as the command's own error. */
export const rejectOnFault = <A>(read: Result.Result<A, CardFault>): Effect.Effect<A, Rejected> =>
  Effect.fromResult(Result.mapError(read, (fault) => new Rejected(fault)))

/** The rules, loaded to check input only: they contain the world's phone numbers and countries. */
export const loadCardRules = Effect.promise(() => import("@sov/core/business-card"))

/** The field of this name. */
export const findField = (name: string): Effect.Effect<CardField, Rejected> =>
  Effect.flatMap(loadCardRules, ({ findCardField }) => rejectOnFault(findCardField(name)))

const toItems = (value: CardValueJson): CardValue =>
  value === null ? [] : typeof value === "number" ? [String(value)] : Array.isArray(value)
    ? value as CardValue
    : [value as CardItem]

/** A value as it is typed; nothing for null. */
export const valueText = (value: CardValueJson): string =>
  toItems(value).map((item) => printable(cardItemText(item)))
    .join(toItems(value).some((item) => typeof item === "object") ? " | " : ", ")
