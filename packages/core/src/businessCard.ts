/**
 * Front door of what is typed and imported for a business card, `@sov/core/business-card`: checked values, and
 * documents of schema.org. Apart from `@sov/core`, because it loads the world's phone numbers and countries.
 */
export { cardForm } from "./domain/card/BusinessCardForms.ts"
export * from "./domain/card/BusinessCardJsonLdReader.ts"
export { type CardFault, findCardField, parseCardField } from "./domain/card/BusinessCardValues.ts"
