/** The fields of a business card as schema.org properties: one table for reading and writing. */
import { type CardField, cardFieldNames, type CardItem } from "./BusinessCard.ts"
import type { RawItem } from "./BusinessCardValues.ts"

/** Any JSON object. */
export type JsonObject = { readonly [name: string]: unknown }

/** Whether a JSON value is an object, not an array or null. */
export const isObject = (json: unknown): json is JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json)

/** A value or a list of values as a list, without null and empty texts. */
export const listOf = (json: unknown): ReadonlyArray<unknown> =>
  (Array.isArray(json) ? json as ReadonlyArray<unknown> : [json]).filter((one) => one != null && one !== "")

/** The text of a value: the value itself, or the first of `members` that its object contains. */
export const textOf = (json: unknown, ...members: ReadonlyArray<string>): string | null => {
  if (typeof json === "string") return json
  if (typeof json === "number") return String(json)
  if (!isObject(json)) return null
  for (const member of ["@value", ...members]) {
    if (Object.hasOwn(json, member) && typeof json[member] !== "object") return textOf(json[member])
  }
  return null
}

/** How to write and read the items of one kind. `ignore` receives the names of properties without a field. */
interface Shape {
  readonly write: (item: CardItem) => unknown
  /** Reads an item without checking it; null if it cannot be read. */
  readonly read: (json: unknown, ignore: (property: string) => void) => RawItem | null
}

const plain = (...members: ReadonlyArray<string>): Shape => ({
  write: (item) => item,
  read: (json) => textOf(json, ...members)
})

const named = plain("name")
const link = plain("url", "contentUrl", "@id")

const aNumber: Shape = {
  write: (item) => ({ "@type": "QuantitativeValue", value: Number(item) }),
  read: (json) => textOf(json, "value")
}

const anOrganization: Shape = {
  write: (name) => ({ "@type": "Organization", name }),
  read: named.read
}

type Members = { readonly [property: string]: { readonly member: string; readonly shape: Shape } }

/** The shape of a thing whose members are schema.org properties; a plain text is read as the thing's name. */
const thing = (type: string, members: Members): Shape => {
  const all: Members = { name: { member: "name", shape: named }, ...members }
  return {
    write: (item) => {
      const texts: JsonObject = typeof item === "string" ? { name: item } : item
      return {
        "@type": type,
        ...Object.fromEntries(
          Object.entries(all).flatMap(([property, { member, shape }]) =>
            typeof texts[member] === "string" ? [[property, shape.write(texts[member])]] : []
          )
        )
      }
    },
    read: (json, ignore) => {
      if (!isObject(json)) return textOf(json)
      const raw = new Map<string, string>()
      for (const [property, value] of Object.entries(json)) {
        const known = Object.hasOwn(all, property) ? all[property] : undefined
        const text = known?.shape.read(value, ignore)
        if (known !== undefined && typeof text === "string") raw.set(known.member, text)
        else if (!property.startsWith("@")) ignore(property)
      }
      return Object.fromEntries(raw)
    }
  }
}

const person = thing("Person", {
  jobTitle: { member: "job_title", shape: named },
  url: { member: "url", shape: link }
})

const certification = thing("Certification", {
  issuedBy: { member: "issuer", shape: anOrganization },
  certificationIdentification: { member: "number", shape: named },
  validFrom: { member: "valid_from", shape: named },
  expires: { member: "expires", shape: named },
  url: { member: "url", shape: link }
})

/** The shape of a fact that was entered with its type, see https://schema.org/PropertyValue. */
const propertyValue = thing("PropertyValue", {
  propertyID: { member: "type", shape: named },
  value: { member: "value", shape: named },
  disambiguatingDescription: { member: "about", shape: named },
  alternateName: { member: "words", shape: named },
  valueReference: { member: "options", shape: named },
  validFrom: { member: "as_of", shape: named }
})

const offered = { description: { member: "description", shape: named }, url: { member: "url", shape: link } }
const product = thing("Product", offered)
const service = thing("Service", offered)
const isService = (json: unknown): boolean => isObject(json) && listOf(json["@type"]).includes("Service")

const offer: Shape = {
  write: (item) => ({
    "@type": "Offer",
    itemOffered: (typeof item !== "string" && item["type"] === "service" ? service : product).write(item)
  }),
  read: (json, ignore) => {
    const wrapped = isObject(json) && Object.hasOwn(json, "itemOffered")
    if (wrapped) {
      for (const property of Object.keys(json)) if (!/^(@.*|itemOffered)$/.test(property)) ignore(property)
    }
    const inner = wrapped ? json["itemOffered"] : json
    const raw = product.read(inner, ignore)
    if (raw === null) return null
    return { ...typeof raw === "string" ? { name: raw } : raw, type: isService(inner) ? "service" : "product" }
  }
}

/** A property of the organization, or of its postal address. */
export interface Term {
  readonly property: string
  readonly inAddress: boolean
  readonly shape: Shape
}

const term = (property: string, shape: Shape): Term => ({ property, inAddress: false, shape })
const inAddress = (property: string): Term => ({ property, inAddress: true, shape: named })

/** The property of each field (https://schema.org/Organization). */
export const cardTerms: { readonly [F in CardField]: Term } = {
  name: term("name", named),
  legal_name: term("legalName", named),
  alternate_names: term("alternateName", named),
  description: term("description", named),
  slogan: term("slogan", named),
  founding_date: term("foundingDate", named),
  vat_id: term("vatID", named),
  tax_id: term("taxID", named),
  lei: term("leiCode", named),
  email: term("email", named),
  telephone: term("telephone", named),
  street_address: inAddress("streetAddress"),
  postal_code: inAddress("postalCode"),
  locality: inAddress("addressLocality"),
  region: inAddress("addressRegion"),
  country: inAddress("addressCountry"),
  languages: term("knowsLanguage", plain("alternateName", "name")),
  url: term("url", link),
  logo: term("logo", link),
  profiles: term("sameAs", link),
  offerings: term("makesOffer", offer),
  topics: term("knowsAbout", named),
  facts: term("additionalProperty", propertyValue),
  area_served: term("areaServed", named),
  founders: term("founder", person),
  leaders: term("employee", person),
  employees: term("numberOfEmployees", aNumber),
  certifications: term("hasCertification", certification),
  awards: term("award", named),
  memberships: term("memberOf", anOrganization)
}

/** The field that is filled from this property of the organization or of its address. */
export const fieldOfProperty = (property: string, address: boolean): CardField | undefined =>
  cardFieldNames.find((name) => cardTerms[name].property === property && cardTerms[name].inAddress === address)
