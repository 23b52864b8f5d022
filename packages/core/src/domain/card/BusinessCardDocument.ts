/** Finds the organization in a schema.org document and resolves its references (`@id`). */
import { Result } from "effect"
import { schemaOrg } from "./BusinessCardJsonLd.ts"
import { isObject, type JsonObject, listOf, textOf } from "./BusinessCardTerms.ts"
import type { CardFault } from "./BusinessCardValues.ts"
import { isOrganizationType } from "./organizationTypes.ts"

/** A type or property without its vocabulary prefix. */
const localName = (name: string): string => name.replace(/^(schema:|https?:\/\/schema\.org\/)/, "")

const typesOf = (node: JsonObject): ReadonlyArray<string> =>
  listOf(node["@type"]).filter((type) => typeof type === "string").map(localName)

const speaksSchemaOrg = (json: unknown): boolean =>
  listOf(json).some((one) =>
    (isObject(one) ? [one["@vocab"], one["schema"]] : [one])
      .some((vocabulary) => /^https?:\/\/schema\.org\/?$/.test(textOf(vocabulary) ?? ""))
  )

const fault = (message: string) => Result.fail<CardFault>({ field: "document", message: `the document ${message}` })

/**
 * The id of an object that is only a reference, because it has no properties except id and type; null for any other
 * object.
 */
const referenceOf = (json: unknown): string | null =>
  isObject(json) && Object.keys(json).every((key) => /^@(id|type)$/.test(key)) ? textOf(json["@id"]) : null

/** For each `@id`, the first object that has further properties. */
const nodesById = (json: unknown): ReadonlyMap<string, JsonObject> => {
  const nodes = new Map<string, JsonObject>()
  const waiting = [json]
  while (waiting.length > 0) {
    const one = waiting.pop()
    const id = isObject(one) && referenceOf(one) === null ? textOf(one["@id"]) : null
    if (id !== null && !nodes.has(id)) nodes.set(id, one as JsonObject)
    if (typeof one === "object" && one !== null) {
      for (const part of Object.values(one).toReversed()) waiting.push(part)
    }
  }
  return nodes
}

/** Maximum depth, which is enough for the maker of the service of an offer. */
const deepest = 5
/**
 * Maximum number of references that are followed, because a small document may refer to large parts of itself very
 * often.
 */
const maxReferences = 300

/**
 * Whether a property's value is an address, so that an object with only an `@id` may be the value itself. An address
 * with a fragment is a reference instead.
 */
const isAddress = (property: string, id: string): boolean => /^(url|sameAs|logo)$/.test(property) && !id.includes("#")

/** An organization as a document describes it. */
export interface DescribedOrganization {
  readonly node: JsonObject
  /** Properties whose references cannot be followed, as paths with the reason; they are missing in `node`. */
  readonly dangling: ReadonlySet<string>
}

/** Replaces references by the objects that they refer to. */
const resolved = (node: JsonObject, nodes: ReadonlyMap<string, JsonObject>): DescribedOrganization => {
  const dangling = new Set<string>()
  const within: Array<JsonObject> = [node]
  let followed = 0
  let left = 0
  const resolve = (json: unknown, path: ReadonlyArray<string>): unknown => {
    if (path.length > deepest) return json
    if (Array.isArray(json)) return json.map((one) => resolve(one, path)).filter((one) => one !== undefined)
    if (!isObject(json)) return json
    const id = path.length === 0 ? null : referenceOf(json)
    if (id === null) return members(json, path)
    const target = nodes.get(id)
    const back = target !== undefined && within.includes(target)
    if (target !== undefined && !back && followed++ < maxReferences) {
      within.push(target)
      const described = members(target, path)
      within.pop()
      return described
    }
    if (!back && isAddress(path.at(-1)!, id)) return json
    left++
    if (path.length <= 2) {
      dangling.add(`${path.join(".")} (${back ? "refers back" : "refers to what the document does not describe"})`)
    }
    return undefined
  }
  const members = (json: JsonObject, path: ReadonlyArray<string>): JsonObject | undefined => {
    const before = left
    const entries = Object.entries(json).flatMap(([property, value]) => {
      if (property === "@type") return [["@type", typesOf(json)] as const]
      const name = localName(property)
      const part = property.startsWith("@") ? value : resolve(value, [...path, name])
      return part === undefined ? [] : [[name, part] as const]
    })
    // An object is omitted if it only contained references that cannot be followed
    const empty = left > before && path.length > 0 && entries.every(([name]) => name.startsWith("@"))
    return empty ? undefined : Object.fromEntries(entries)
  }
  return { node: members(node, []) ?? {}, dangling }
}

/** Finds the only organization in a document: the document itself, or an object in its list or graph. */
export const findOrganization = (json: unknown): Result.Result<DescribedOrganization, CardFault> => {
  const roots = listOf(json).filter(isObject)
  const nodes = roots.flatMap((root) => [root, ...listOf(root["@graph"]).filter(isObject)])
  if (!roots.some((root) => speaksSchemaOrg(root["@context"]))) return fault(`must have "@context": "${schemaOrg}"`)
  const found = nodes.filter((node) => typesOf(node).some(isOrganizationType) && referenceOf(node) === null)
  if (found.length === 1) return Result.succeed(resolved(found[0]!, nodesById(json)))
  const types = [...new Set(nodes.flatMap(typesOf))].slice(0, 5).map((type) => type.slice(0, 40)).join(", ")
  return found.length > 1
    ? fault(`describes ${found.length} organizations; keep the one that the card is about`)
    : fault(`must describe one Organization (found: ${types === "" ? "no @type" : types})`)
}
