/** The business card. */

export * from "../domain/card/BusinessCard.ts"
export { cardForm } from "../domain/card/BusinessCardForms.ts"
export * from "../domain/card/BusinessCardJsonLd.ts"
export { cardItemText, cardText, maxAttesterLength, maxSourceLength } from "../domain/card/BusinessCardText.ts"
export * from "../domain/card/BusinessCardTrust.ts"

export * from "../json/card.ts"

export * from "../ports/BusinessCardStore.ts"

export * from "../usecases/card/attestBusinessCard.ts"
export * from "../usecases/card/editBusinessCard.ts"
export * from "../usecases/card/reads.ts"
