/**
 * Generates requests that an editor can run (REST Client of VS Code, httpYac) from the examples of the API's document.
 */
import type { makeOpenApiDocument } from "@sov/http/contract"

interface Parameter {
  readonly name: string
  readonly in: string
  readonly example?: unknown
}

interface Operation {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly summary: string
  readonly description: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: {
    readonly required?: boolean
    readonly content: { readonly "application/json": { readonly example: unknown } }
  }
}

const formatRequest = (title: string, lines: ReadonlyArray<string>): string => [`### ${title}`, ...lines].join("\n")

const authorization = "Authorization: Bearer {{apiKey}}"

/** The requests for an operation: one with only the required parts, and one with everything that can be passed. */
const listRequests = (method: string, path: string, operation: Operation): ReadonlyArray<string> => {
  const { description, operationId, parameters, requestBody, summary } = operation
  const shown = parameters.filter(({ example }) => example !== undefined)
  const given = shown.filter(({ in: slot, name }) => slot === "query" && name !== "cursor")
  const headers = shown.filter((one) => one.in === "header").map(({ example, name }) => `${name}: ${String(example)}`)
  const line = `${method.toUpperCase()} {{baseUrl}}${path}`
  const query = given.map(({ example, name }) => `${name}=${encodeURIComponent(String(example))}`).join("&")
  const pages = parameters.some(({ name }) => name === "cursor")
  const limit = given.find(({ name }) => name === "limit")?.example
  return [
    ...requestBody?.required === true ? [] : [formatRequest(summary, [`# ${description}`, line, authorization])],
    ...query === "" && requestBody === undefined ? [] : [
      formatRequest(`${summary}: all that can be given`, [
        `${line}${query === "" ? "" : `?${query}`}`,
        authorization,
        ...headers,
        ...requestBody === undefined ? [] : [
          "Content-Type: application/json",
          "",
          JSON.stringify(requestBody.content["application/json"].example, null, 2)
        ]
      ])
    ],
    ...pages
      ? [
        formatRequest(`${summary}: first page`, [
          `# @name ${operationId}`,
          `${line}?limit=${String(limit)}`,
          authorization
        ]),
        formatRequest(`${summary}: next page`, [
          `${line}?limit=${String(limit)}&cursor={{${operationId}.response.body.$.meta.next_cursor}}`,
          authorization
        ])
      ]
      : []
  ]
}

/** Content of docs/sov.http. */
export const renderHttpCollection = (document: ReturnType<typeof makeOpenApiDocument>): string => {
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const one = operation as unknown as Operation
      // Operator operations are left out, because they need another key and some delete data. Paths with an id are left
      // out, because only the reader knows an id
      return one.tags.includes("v1") && !path.includes("{") ? listRequests(method, path, one) : []
    })
  )
  const keyword = /"keyword_ids":\s*\[\s*"([\da-f-]{36})"/.exec(all.join("\n"))?.[1] ?? ""
  const head = [
    "# Requests of the sov REST API. Made from its document by `npm run docs`.",
    "# The key comes from the environment; the keyword is one of `sov keyword list`.",
    "@baseUrl = http://127.0.0.1:4680",
    "@apiKey = {{$processEnv SOV_API_KEY}}",
    `@keywordId = ${keyword}`
  ].join("\n")
  return `${[head, ...all.map((one) => one.replaceAll(keyword, "{{keywordId}}"))].join("\n\n")}\n`
}
