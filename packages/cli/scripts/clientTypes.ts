/**
 * Generates plain TypeScript types of the API's bodies from the OpenAPI document, because the `fetch` client loads no
 * schemas.
 */
import type { makeOpenApiDocument } from "@sov/http/contract"

type Json = { readonly [member: string]: unknown }

/** The schemas of the document for which types are generated, each with the name and description of its type. */
interface Declared {
  readonly [schema: string]: readonly [name: string, description: string]
}

/** Types that the client of an organization declares. */
const shapes: Declared = {
  Platform: ["Platform", "An answer platform, by its neutral name."],
  Summary: ["Summary", "The current share of voice. Times are ISO 8601, UTC; shares are in per cent."],
  Scan: ["Scan", "A scan in the list."],
  StartScan: ["StartScan", "What a scan asks; without it, all active keywords on all configured platforms."],
  StartedScan: ["StartedScan", "A scan that was started."],
  Source: ["AnswerSource", "A web page that an answer rests on, as the platform named it: text of a third party."],
  ArchiveRow: ["ArchiveRow", "An archived answer with its newest measurement."],
  ArchivePage: ["ArchivePage", "A page of the archive, newest first."],
  NewExperiment: ["NewExperiment", "A plan of an experiment, as it is registered."],
  Experiment: ["Experiment", "A plan of an experiment that was sealed."],
  ExperimentDetail: ["ExperimentDetail", "An experiment with its draw, its progress and, after its end, its result."],
  ExperimentList: ["ExperimentList", "All experiments, newest first."],
  ActionMark: ["ActionMark", "What was decided about an action."],
  Action: ["Action", "Something to do, with its evidence."],
  ActionList: ["ActionList", "What to do next, and what was decided about earlier actions."]
}

/** Types about the reliability of a share. */
const trustShapes: Declared = {
  Definitions: ["Definitions", "The same answers under each definition of voice, and how they speak of the brand."],
  Evidence: ["Evidence", "How much the current share of voice can carry."],
  SpotCheck: ["SpotCheck", "What somebody sees who opens single answers. Chances are in per cent."]
}

/** Types that the operator's client declares. */
const operatorShapes: Declared = {
  PlanId: ["Plan", "What an organization pays for, from least to most."],
  Organization: ["Organization", "An organization as the operator sees it."],
  OrganizationList: ["OrganizationPage", "A page of organizations, oldest first."],
  CreateOrganization: ["CreateOrganization", "An organization to be created."],
  EditOrganization: ["EditOrganization", "What changes of an organization."],
  RequestedDeletion: ["RequestedDeletion", "A deletion that was requested."],
  Tombstone: ["Tombstone", "What is left of a deleted organization."],
  DeletionList: ["DeletionList", "Requested and done deletions."],
  ApiKey: ["ApiKey", "An API key of an organization, never the key itself."],
  CreateApiKey: ["CreateApiKey", "An API key to be created."],
  CreatedApiKey: ["CreatedApiKey", "An API key that was created, with the key itself."],
  Member: ["Member", "A member of an organization."],
  InviteMember: ["InviteMember", "A member to be invited."],
  InvitedMember: ["InvitedMember", "A member who was invited."],
  OrganizationUsage: ["OrganizationUsage", "What one organization used in a month."],
  Usage: ["Usage", "What organizations used in a month."]
}

const declared: Declared = { ...shapes, ...trustShapes, ...operatorShapes }

/** Renders a comment, wrapped at 120 columns. */
const renderComment = (text: string, indent: string): string => {
  const lines = [""]
  for (const word of text.split(/\s+/)) {
    if (`${indent} * ${lines.at(-1)} ${word}`.length > 118) lines.push(word)
    else lines[lines.length - 1] = `${lines.at(-1)} ${word}`.trim()
  }
  return lines.length === 1 ?
    `${indent}/** ${lines[0]} */\n` :
    `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`
}

/**
 * Renders a union of literals: on one line if it is short, otherwise one literal per line, as the formatter writes it.
 */
const renderLiterals = (literals: ReadonlyArray<string>, indent: string): string => {
  const line = literals.join(" | ")
  return line.length <= 100 ? line : literals.map((one) => `\n${indent}  | ${one}`).join("")
}

const renderMember = (name: string, schema: Json, required: boolean, indent: string): string =>
  (typeof schema["description"] === "string" ? renderComment(schema["description"], indent) : "") +
  `${indent}readonly ${name}${required ? "" : "?"}: ${renderType(schema, indent)}\n`.replace(": \n", ":\n")

const renderObject = (schema: Json, indent: string): string => {
  const required = new Set(schema["required"] as ReadonlyArray<string> | undefined)
  const members = Object.entries(schema["properties"] as { readonly [member: string]: Json })
  return `{\n${
    members.map(([name, one]) => renderMember(name, one, required.has(name), `${indent}  `)).join("")
  }${indent}}`
}

const renderType = (schema: Json, indent: string): string => {
  const { $ref, additionalProperties, anyOf, enum: literals, items, type } = schema
  if (typeof $ref === "string") return declared[$ref.split("/").at(-1)!]![0]
  if (Array.isArray(literals)) return renderLiterals(literals.map((one) => JSON.stringify(one)), indent)
  if (type === "array") return `ReadonlyArray<${renderType(items as Json, indent)}>`
  if (additionalProperties !== undefined) {
    return `{ readonly [name: string]: ${renderType(additionalProperties as Json, indent)} }`
  }
  if (type === "object") return renderObject(schema, indent)
  if (type === "integer") return "number"
  return typeof type === "string" ? type : (anyOf as Array<Json>).map((one) => renderType(one, indent)).join(" | ")
}

const renderDeclaration = (name: string, description: string, schema: Json): string =>
  `\n${renderComment(description, "")}export ${
    schema["type"] === "object" ?
      `interface ${name} ${renderObject(schema, "")}` :
      `type ${name} = ${renderType(schema, "")}`
  }\n`

type Document = ReturnType<typeof makeOpenApiDocument>

const renderDeclared = (names: Declared, { components }: Document): string =>
  Object.entries(names).map(([schema, [name, description]]) =>
    renderDeclaration(name, description, components.schemas[schema]!)
  ).join("")

const about = (whose: string) =>
  `/** Shapes of the REST API's bodies${whose}. Written by \`npm run docs\` from the API's contract. */\n`

const renderModule = (whose: string, names: Declared, document: Document): string =>
  `${about(whose)}import type { Platform } from "./shapes.ts"\n${renderDeclared(names, document)}`

/** Source of the module with the types of the operator's client. */
export const renderOperatorTypes = (document: Document): string =>
  renderModule(", the operator's", operatorShapes, document)

/** Source of the module with the types about the reliability of a share. */
export const renderTrustTypes = (document: Document): string =>
  renderModule(": how far a share can be relied on", trustShapes, document)

/** Source of the module with the types of an organization's client. */
export const renderClientTypes = (document: Document): string => {
  const { parameters } = document.paths["/api/v1/archive"]!["get"] as { readonly parameters: ReadonlyArray<Json> }
  const query = parameters.filter((one) => one["in"] === "query").map(({ description, name, schema }) => [
    name,
    { ...schema as Json, description }
  ])
  const mostRows = parameters.find((one) => one["name"] === "limit")?.["schema"] as { readonly maximum: number }
  return `${
    about("")
  }\n/** Most rows of one page of the archive. */\nexport const maxArchivePage = ${mostRows.maximum}\n` +
    renderDeclared(shapes, document) +
    renderDeclaration("ArchiveQuery", "Request of one page of the archive.", {
      type: "object",
      properties: Object.fromEntries(query)
    })
}
