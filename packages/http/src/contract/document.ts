/** The contract as an OpenAPI 3.1 document, with descriptions and examples that the schemas do not contain. */
import { maxRowsPage, maxScansPage, maxSourceScans } from "@sov/core/contract"
import { OpenApi } from "effect/http-api"
import { Api } from "./Api.ts"
import { parameterExamples, requestExamples, responseExamples } from "./examples.ts"
import { operatorOperations, pathExamples } from "./operatorExamples.ts"
import { defaultLimit } from "./parameters.ts"
import { problemTypes } from "./problemTypes.ts"

type Json = { [member: string]: unknown }

const operationTexts: { readonly [operationId: string]: { readonly summary: string; readonly description: string } } = {
  sov: {
    summary: "Current share of voice",
    description:
      "Average and per platform, from the most recent completed scan that asked everything. A scan narrowed to keywords, tags or platforms never replaces it; only where no scan asked everything is the most recent narrowed one shown, as `asked` says."
  },
  definitions: {
    summary: "Share of voice by definition",
    description:
      "The answers behind `avg_sov` under each definition of voice, for the brand and its competitors, with intervals."
  },
  odds: {
    summary: "Odds of a spot check",
    description:
      "How often one opened answer shows the brand, and how often three in a row miss it: overall, by platform and by tag, with intervals, from up to 12 scans."
  },
  evidence: {
    summary: "How much the share can carry",
    description:
      "The grade of the evidence behind `avg_sov` by the criteria of a trade body's guidance, what is missing, and the cheapest way to the next grade."
  },
  listScans: { summary: "Recent scans", description: "Most recent first." },
  startScan: {
    summary: "Start a scan",
    description:
      "Asks the active keywords on the configured platforms, in the background. Uses one scan of the month. " +
      "With an Idempotency-Key the same request, sent again within 24 hours, starts nothing new and gets the same " +
      "answer, with `Idempotent-Replayed: true`."
  },
  annotations: {
    summary: "Annotations",
    description: "What the organization says happened on which day, by day: the charts show it."
  },
  addAnnotation: { summary: "Add an annotation", description: "Notes what happened on a day, which may lie ahead." },
  removeAnnotation: { summary: "Remove an annotation", description: "Gives what was removed." },
  experiments: { summary: "Experiments", description: "Every plan that was sealed, newest first." },
  startExperiment: {
    summary: "Register an experiment",
    description:
      "Draws the topics to treat at random and seals the plan before the change. It cannot be edited. The same plan, " +
      "sent again before it has ended, is not drawn again and gets the same answer."
  },
  experiment: {
    summary: "One experiment",
    description: "Plan, draw and progress. Verdict, effect and interval are null until the last day is over."
  },
  endExperiment: {
    summary: "End an experiment early",
    description: "For a reason that is sealed. It never gets a result; one that has ended is refused."
  },
  claims: {
    summary: "Business card against answers",
    description: "Which answers of the newest scan agree with the card's facts, and which contradict them."
  },
  funnel: {
    summary: "From retrieved to named first",
    description:
      "How many answers read an own page, cite it, then name the brand, and name it first: by platform and by tag, from the newest comparable scans."
  },
  actions: {
    summary: "What to do next",
    description:
      "At most ten actions whose figures differ by more than chance, each with the answers behind it; and what was marked."
  },
  markAction: {
    summary: "Mark an action",
    description: "Done, dismissed or put off: it leaves the list, and comes back for a stated reason."
  },
  unmarkAction: { summary: "Take a mark away", description: "Gives what was removed; the action is listed again." },
  archive: {
    summary: "Dated raw answers",
    description: "Newest first. Pass `meta.next_cursor` as `cursor`, with the same filters, for the next page; the " +
      "header `Link` has the same address. Rows that are archived meanwhile do not move those of later pages."
  },
  ...operatorOperations
}

const makeLimitParameter = (most: number, preset: number, what: string) => ({
  schema: { type: "integer", minimum: 1, maximum: most, default: preset },
  description: what
})
const makeTimeParameter = (what: string) => ({
  schema: { type: "string", anyOf: [{ format: "date" }, { format: "date-time" }] },
  description: `${what}: a day (UTC) or a time with its offset`
})

/** Maximum length of the Idempotency-Key header: a key of 255 characters and two quotation marks. */
const maxKeyHeader = 257

const idempotencyKey = {
  name: "Idempotency-Key",
  schema: { type: "string", minLength: 1, maxLength: maxKeyHeader, pattern: "^[ -~]+$" },
  description:
    "Any text of 1 to 255 printable ASCII characters; quotation marks around it are no part of it, so maxLength is 257"
}

/** Parameters with their types; the contract itself declares all of them as strings. */
const parameters: { readonly [key: string]: Json } = {
  "listScans limit": makeLimitParameter(maxScansPage, defaultLimit.scans, "Most scans to give"),
  "archive limit": makeLimitParameter(
    maxRowsPage,
    defaultLimit.archive,
    "Most rows of a page; it has fewer where answers are long, and ends once they are 4 MiB of text together"
  ),
  "funnel scans": makeLimitParameter(maxSourceScans, defaultLimit.funnel, "Most scans to pool"),
  "funnel platform": { description: "Only answers of this platform" },
  "funnel tag": { description: "Only answers to keywords that have this tag now; branded and unbranded are computed" },
  "listOrganizations limit": makeLimitParameter(maxRowsPage, defaultLimit.organizations, "Most organizations to give"),
  "listOrganizations cursor": { description: "`meta.next_cursor` of the page before" },
  "usage month": { description: "A UTC month; the present one when left out" },
  "usage organization": { description: "Only this one, by its id or short name" },
  "usageCsv month": { description: "A UTC month; the present one when left out" },
  "usageCsv organization": { description: "Only this one, by its id or short name" },
  "archive keyword_id": { schema: { type: "string", format: "uuid" }, description: "Only answers to this keyword" },
  "archive tag": {
    description: "Only answers to keywords that have this tag now; branded and unbranded are computed"
  },
  "sov view": { description: "The share of this view; `standard` is the one without a market, as when left out" },
  "definitions view": { description: "The answers of this view; `standard` is the one without a market" },
  "archive view": { description: "Only answers of this view; `standard` is the one without a market" },
  "archive platform": { description: "Only answers of this platform" },
  "archive include": { description: "Gives each answer its sources and search queries, too" },
  "archive from": makeTimeParameter("Only answers archived then or later"),
  "archive to": makeTimeParameter("Only answers archived then or earlier; a day counts as a whole"),
  "archive cursor": {
    schema: { type: "string" },
    description: "`meta.next_cursor` of the page before. It belongs to the organization and to the same filters"
  },
  "removeAnnotation id": { schema: { type: "string", format: "uuid" }, description: "Id of the annotation" },
  "experiment id": { schema: { type: "string", format: "uuid" }, description: "Id of the experiment" },
  "endExperiment id": { schema: { type: "string", format: "uuid" }, description: "Id of the experiment" },
  "markAction id": { description: "Id of the action" },
  "unmarkAction id": { description: "Id of the action" },
  "startScan idempotency-key": idempotencyKey,
  "createOrganization idempotency-key": idempotencyKey
}

const makeHeader = (description: string, type = "string"): Json => ({ description, schema: { type } })
const commonHeaders = {
  "X-Request-Id": makeHeader("Names the request; the server's log and every problem have it"),
  "RateLimit-Policy": makeHeader("What is limited (draft-ietf-httpapi-ratelimit-headers-11)"),
  RateLimit: makeHeader("What is left, and in how many seconds there is more")
}
const headersByStatus: { readonly [status: string]: Json } = {
  "200": { ETag: makeHeader("Strong; for If-None-Match") },
  "201": { "Idempotent-Replayed": makeHeader("`true` when an earlier request created the organization") },
  "202": { "Idempotent-Replayed": makeHeader("`true` when an earlier request started the scan") },
  "401": { "WWW-Authenticate": makeHeader("`Bearer`") },
  "403": { "WWW-Authenticate": makeHeader("`Bearer` with the scope that is missing; not with another plan") },
  "409": { "Retry-After": makeHeader("Seconds", "integer") },
  "429": { "Retry-After": makeHeader("Seconds", "integer") },
  "503": { "Retry-After": makeHeader("Seconds", "integer") }
}

const descriptionByStatus: { readonly [status: string]: string } = {
  "200": "As asked for",
  "201": "It was created",
  "202": "The scan was started and runs"
}

/** Descriptions and headers that apply only to the response of one operation. */
const answers: { readonly [answer: string]: { readonly description?: string; readonly headers?: Json } } = {
  "archive 200": { headers: { ...headersByStatus["200"], Link: makeHeader("The next page, `rel=\"next\"`") } },
  "deleteOrganization 202": { description: "It is deleted at `due_at` unless that is cancelled", headers: {} },
  "addAnnotation 201": { headers: {} },
  "startExperiment 201": { headers: {} },
  "markAction 201": { headers: {} },
  "createKey 201": { headers: {} },
  "inviteMember 201": { headers: {} }
}

const withResponses = (operationId: string, responses: Json, reads: boolean): Json => {
  const described = Object.entries(responses).map(([status, value]) => {
    const response = value as { description: string; content: { [type: string]: Json } }
    const known = answers[`${operationId} ${status}`]
    const headers = status === "200" && !reads ? {} : known?.headers ?? headersByStatus[status]
    const shown = responseExamples[operationId] ?? operatorOperations[operationId]?.response
    const example = status.startsWith("2") && shown !== null ? { example: shown } : {}
    return [status, {
      description: known?.description ?? descriptionByStatus[status] ??
        response.description.replaceAll(" | ", "; or: "),
      headers: { ...commonHeaders, ...headers },
      content: Object.fromEntries(
        Object.entries(response.content ?? {}).map(([type, one]) => [type, { ...one, ...example }])
      )
    }]
  })
  const notModified = {
    description: "The client has this answer already",
    headers: { ...commonHeaders, ...headersByStatus["200"] }
  }
  return Object.fromEntries([...described, ...reads ? [["304", notModified]] : []])
}

const withParameters = (operationId: string, given: ReadonlyArray<Json>): ReadonlyArray<Json> =>
  given.map((parameter) => {
    const known = { ...parameter, ...parameters[`${operationId} ${String(parameter["name"])}`] } as Json
    const path = known["in"] === "path" ? pathExamples[String(known["name"])] : undefined
    if (path !== undefined) return { ...known, example: path[0], description: path[1] }
    const { [String(known["name"])]: example } = parameterExamples
    return {
      ...known,
      example: operationId === "listOrganizations" && known["name"] === "cursor" ? undefined : example
    }
  })

/** Operations whose body is optional. */
const optionalBodies = new Set(["startScan", "suspendOrganization"])

const makeRequestBody = (operationId: string, generated: Json): Json => {
  const { schema } = (generated["content"] as { readonly [type: string]: Json })["application/json"]!
  const startScan = { anyOf: [{ $ref: "#/components/schemas/StartScan" }, { type: "null" }] }
  return {
    required: !optionalBodies.has(operationId),
    content: {
      "application/json": {
        schema: operationId === "startScan" ? startScan : schema,
        example: requestExamples[operationId] ?? operatorOperations[operationId]?.request
      }
    }
  }
}

const withOperation = (method: string, operation: Json): Json => {
  const operationId = String(operation["operationId"])
  const ofOperator = operationId in operatorOperations
  const answered = (operation["responses"] as { readonly [status: string]: { readonly content?: object } })["200"]
  const reads = method === "get" && "application/json" in (answered?.content ?? {})
  const body = operation["requestBody"] as Json | undefined
  const conditional = {
    name: "If-None-Match",
    in: "header",
    required: false,
    schema: { type: "string" },
    description: "An ETag: the answer is 304 without a body where it would be the same"
  }
  return {
    ...operation,
    ...operationTexts[operationId],
    tags: [ofOperator ? "operator" : "v1"],
    security: [ofOperator ? { operatorKey: [] } : { apiKey: [] }],
    parameters: [
      ...withParameters(operationId, operation["parameters"] as ReadonlyArray<Json>),
      ...reads ? [conditional] : []
    ],
    ...body === undefined ? {} : { requestBody: makeRequestBody(operationId, body) },
    responses: withResponses(operationId, operation["responses"] as Json, reads)
  }
}

const introduction =
  `Share of voice in AI answers: read the current number, list and start scans, read the archive of raw answers.

Every request carries \`Authorization: Bearer <API_KEY>\`; the plan has to be Pro or above, and the key needs the scope
\`read\`, or \`scan\` for starting one. Operations of the tag \`operator\` carry a key of the operator instead, which
opens no others. Every error is a problem
(RFC 9457, \`application/problem+json\`) with a \`type\` that never changes its meaning. Parameters and members that
are not known are ignored. Within v1 things are only added.`

/**
 * Allows additional members in objects, because v1 may add members, and removes bounds that only mean "safe integer".
 */
const openJsonSchema = (key: string, value: unknown): unknown => {
  if (key === "additionalProperties" && value === false) return undefined
  const unbounded = key === "minimum" && value === Number.MIN_SAFE_INTEGER ||
    key === "maximum" && value === Number.MAX_SAFE_INTEGER
  return unbounded ? undefined : value
}

/** Adds the members that identify a request to the schema of a problem. */
const withIdentity = (name: string, schema: Json): readonly [string, Json] => {
  const { properties, required } = schema as { properties?: { [member: string]: Json }; required?: Array<string> }
  if (properties?.["instance"] === undefined) return [name, schema]
  const always = ["type", "title", "status", "instance", "request_id"]
  return [name, {
    ...schema,
    properties: {
      ...properties,
      type: { ...properties["type"], description: "Never changes its meaning; relative to the base address" },
      status: { ...properties["status"], type: "integer" },
      detail: { ...properties["detail"], description: "What is the matter this time, for people" },
      instance: { ...properties["instance"], format: "uri", description: "The request, as a URN of its id" }
    },
    required: [...always, ...(required ?? []).filter((member) => !always.includes(member))]
  }]
}

/** Builds the OpenAPI document; `version` is the version of sov. */
export const makeOpenApiDocument = (version: string) => {
  const text = JSON.stringify(OpenApi.fromApi(Api)).replaceAll(/(#\/components\/schemas\/\w+|"\w+)Encoded"/g, "$1\"")
  const { components, paths } = JSON.parse(text, openJsonSchema) as {
    components: { schemas: { [name: string]: Json } }
    paths: { [path: string]: Json }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "sov",
      version,
      description: introduction,
      license: { name: "MIT", identifier: "MIT" }
    },
    servers: [{ url: "/" }],
    tags: [
      { name: "v1", description: "Version 1: only added to" },
      { name: "operator", description: "For the operator of a server with many organizations: only added to" }
    ],
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [
        path,
        Object.fromEntries(Object.entries(item).map(([method, one]) => [method, withOperation(method, one as Json)]))
      ])
    ),
    components: {
      schemas: Object.fromEntries(
        Object.entries(components.schemas).toSorted(([a], [b]) => a < b ? -1 : 1).map(([name, one]) =>
          withIdentity(name, one)
        )
      ),
      securitySchemes: {
        operatorKey: {
          type: "http",
          scheme: "bearer",
          description: "`sov_oper_` and 49 letters and digits; made by `sov key create --operator --name NAME`"
        },
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "`sov_live_` and 49 letters and digits; made by `sov key create --name NAME`"
        }
      }
    },
    "x-problems": Object.values(problemTypes)
  }
}
export type OpenApiDocument = ReturnType<typeof makeOpenApiDocument>
