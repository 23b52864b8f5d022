/**
 * Entry point for typed and imported business cards, `@sov/core/business-card`: checks values, and reads schema.org
 * documents. It is separate from `@sov/core` because it loads the world's phone numbers and countries.
 */
export { cardForm } from "./domain/card/BusinessCardForms.ts"
export * from "./domain/card/BusinessCardJsonLdReader.ts"
export { type CardFault, findCardField, parseCardField } from "./domain/card/BusinessCardValues.ts"
