/** Reads and formats fields and values of the business card. */
import type { CardFault } from "@sov/core/business-card"
import { type CardField, type CardItem, cardItemText, type CardValue, type CardValueJson } from "@sov/core/card"
import { Rejected } from "@sov/core/common"
import { Effect, Result } from "effect"
import { printable } from "../../output/Output.ts"

/** Converts a fault found by the card's rules to the command's error. */
export const rejectOnFault = <A>(read: Result.Result<A, CardFault>): Effect.Effect<A, Rejected> =>
  Effect.fromResult(Result.mapError(read, (fault) => new Rejected(fault)))

/**
 * The rules of the card. They are loaded only to check input, because they include the phone numbers and countries of
 * the world.
 */
export const loadCardRules = Effect.promise(() => import("@sov/core/business-card"))

/** Finds a field by its name. */
export const findField = (name: string): Effect.Effect<CardField, Rejected> =>
  Effect.flatMap(loadCardRules, ({ findCardField }) => rejectOnFault(findCardField(name)))

const toItems = (value: CardValueJson): CardValue =>
  value === null ? [] : typeof value === "number" ? [String(value)] : Array.isArray(value)
    ? value as CardValue
    : [value as CardItem]

/** A value in the form in which it is entered; empty for null. */
export const valueText = (value: CardValueJson): string =>
  toItems(value).map((item) => printable(cardItemText(item)))
    .join(toItems(value).some((item) => typeof item === "object") ? " | " : ", ")
