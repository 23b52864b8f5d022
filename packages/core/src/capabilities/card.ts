/** The business card. */

export * from "../domain/card/BusinessCard.ts"
export { cardForm } from "../domain/card/BusinessCardForms.ts"
export * from "../domain/card/BusinessCardJsonLd.ts"
export { cardItemText, cardText, maxAttesterLength, maxSourceLength } from "../domain/card/BusinessCardText.ts"
export * from "../domain/card/BusinessCardTrust.ts"

export * from "../domain/card/claims/cardQuestion.ts"
export { checkedFacts } from "../domain/card/claims/checkedFacts.ts"
export * from "../domain/card/claims/judgedFacts.ts"
export * from "../domain/card/claims/readClaims.ts"
export * from "../domain/card/claims/summarizeClaims.ts"

export * from "../json/card.ts"
export * from "../json/claims.ts"

export * from "../ports/BusinessCardStore.ts"

export * from "../usecases/card/attestBusinessCard.ts"
export * from "../usecases/card/checkCard.ts"
export * from "../usecases/card/editBusinessCard.ts"
export * from "../usecases/card/judgeCard.ts"
export * from "../usecases/card/reads.ts"
