/** A business card as a schema.org document in JSON-LD. */
import { type BusinessCard, type CardFact, type CardField, cardFieldNames, cardFields } from "./BusinessCard.ts"
import { cardTerms, type JsonObject } from "./BusinessCardTerms.ts"

/** The vocabulary of the documents. */
export const schemaOrg = "https://schema.org"

const written = (field: CardField, { value }: CardFact): unknown => {
  const items = value.map((item) => cardTerms[field].shape.write(item))
  return cardFields[field].many ? items : items[0]
}

/** The source of a fact as a schema.org work about the organization; its identifier names the field. */
const provenance = ([identifier, { source, updatedAt }]: readonly [CardField, CardFact]) => ({
  "@type": "CreativeWork",
  identifier,
  citation: source,
  dateModified: updatedAt.toISOString()
})

/**
 * The card as a schema.org Organization. With `sources`, the document contains each fact's source and time, so that
 * reading it returns the same card; without, it contains only the values, for publication.
 */
export const cardJsonLd = (card: BusinessCard, { sources }: { readonly sources: boolean }): JsonObject => {
  const facts = cardFieldNames.flatMap((name) => {
    const fact = card.get(name)
    return fact === undefined ? [] : [[name, fact] as const]
  })
  const properties = (inAddress: boolean) =>
    facts.filter(([name]) => cardTerms[name].inAddress === inAddress)
      .map(([name, fact]) => [cardTerms[name].property, written(name, fact)] as const)
  const address = properties(true)
  return {
    "@context": schemaOrg,
    "@type": "Organization",
    ...Object.fromEntries(properties(false)),
    ...address.length === 0 ? {} : { address: { "@type": "PostalAddress", ...Object.fromEntries(address) } },
    ...sources && facts.length > 0 ? { subjectOf: facts.map(provenance) } : {}
  }
}

/**
 * A document as text that can be pasted into a web page: it contains no `<`, `>` or `&`, so that no `</script>` ends
 * it.
 */
export const jsonLdText = (document: JsonObject): string =>
  JSON.stringify(document, undefined, 2).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

/** A document as an element for the head of a web page. */
export const jsonLdElement = (document: JsonObject): string =>
  `<script type="application/ld+json">\n${jsonLdText(document)}\n</script>`
