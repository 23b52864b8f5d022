/** Renders the OpenAPI document as plain HTML, without scripts, fonts or anything else from other hosts. */
import type { OpenApiDocument } from "../contract/document.ts"
import { type ProblemType, problemTypes } from "../contract/problemTypes.ts"

export const style = `
:root { color-scheme: light dark; background: Canvas; color: CanvasText; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h2 { margin-top: 3rem; border-bottom: 1px solid #8884 }
code, pre { font-family: ui-monospace, monospace; font-size: .9em }
pre { background: #8881; padding: .75rem; white-space: pre-wrap; border-radius: .4rem }
pre, code, th, td { overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #8883 }
.method { font-weight: 700 }
`

type Json = { readonly [member: string]: unknown }

const formatPlain = (value: unknown): string => typeof value === "string" ? value : JSON.stringify(value) ?? ""

const escapeHtml = (text: unknown): string =>
  formatPlain(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Escapes text and turns backticks into code. */
const renderProse = (text: unknown): string => escapeHtml(text).replace(/`([^`]*)`/g, "<code>$1</code>")

const renderJson = (value: unknown): string => `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`

const renderExample = (value: unknown): string =>
  typeof value === "string" ? `<pre>${escapeHtml(value)}</pre>` : renderJson(value)

const renderTable = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.length === 0 ?
    "" :
    `<table><thead><tr>${head.map((cell) => `<th>${cell}</th>`).join("")}</tr></thead><tbody>${
      rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("")
    }</tbody></table>`

const renderPage = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${escapeHtml(title)}</title><style>${style}</style></head><body><main>${body}</main></body></html>`

/** Describes a schema in a few words; a reference is shown by its name. */
const formatType = (schema: Json | undefined): string => {
  if (schema === undefined) return ""
  if (typeof schema["$ref"] === "string") return schema["$ref"].split("/").at(-1) ?? ""
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => JSON.stringify(value)).join(" | ")
  if (schema["type"] === "array") return `array of ${formatType(schema["items"] as Json)}`
  if (Array.isArray(schema["anyOf"]) && schema["type"] === undefined) {
    return schema["anyOf"].map((one) => formatType(one as Json)).join(" | ")
  }
  const bounds = schema["minimum"] === undefined
    ? ""
    : ` ${formatPlain(schema["minimum"])}–${formatPlain(schema["maximum"])}`
  const preset = schema["default"] === undefined ? "" : `, default ${formatPlain(schema["default"])}`
  return `${formatPlain(schema["type"])}${
    schema["format"] === undefined ? "" : ` (${formatPlain(schema["format"])})`
  }${bounds}${preset}`
}

const listParameterRows = (operation: Json) =>
  (operation["parameters"] as ReadonlyArray<Json>).map((one) => [
    `<code>${escapeHtml(one["name"])}</code>`,
    escapeHtml(one["in"]),
    escapeHtml(formatType(one["schema"] as Json)),
    renderProse(one["description"] ?? "")
  ])

const listResponseRows = (operation: Json) =>
  Object.entries(operation["responses"] as { readonly [status: string]: Json }).map(([status, one]) => [
    `<code>${status}</code>`,
    renderProse(one["description"])
  ])

const findExample = (holder: unknown): unknown =>
  Object.values((holder as { readonly content?: { readonly [type: string]: Json } } | undefined)?.content ?? {})[0]
    ?.["example"]

const renderOperation = (path: string, method: string, operation: Json): string => {
  const responses = operation["responses"] as { readonly [status: string]: unknown }
  const success = responses["200"] ?? responses["201"] ?? responses["202"]
  const body = findExample(operation["requestBody"])
  const isRequired = (operation["requestBody"] as Json | undefined)?.["required"] === true
  return `<h2 id="${escapeHtml(operation["operationId"])}"><span class="method">${method.toUpperCase()}</span> ` +
    `<code>${escapeHtml(path)}</code></h2><p><strong>${renderProse(operation["summary"])}.</strong> ${
      renderProse(operation["description"])
    }</p>` +
    renderTable(["Parameter", "In", "Type", "Meaning"], listParameterRows(operation)) +
    (body === undefined ? "" : `<p>Body${isRequired ? "" : ", optional"}:</p>${renderJson(body)}`) +
    (findExample(success) === undefined ? "" : `<p>Answer:</p>${renderExample(findExample(success))}`) +
    renderTable(["Status", "Meaning"], listResponseRows(operation))
}

const renderSchema = (name: string, schema: Json): string => {
  const required = new Set(schema["required"] as ReadonlyArray<string> | undefined)
  const members = Object.entries((schema["properties"] ?? {}) as { readonly [member: string]: Json })
  return members.length === 0 ? "" : `<h3 id="${escapeHtml(name)}">${escapeHtml(name)}</h3>` +
    renderTable(
      ["Member", "Type", "Meaning"],
      members.map(([member, one]) => [
        `<code>${escapeHtml(member)}</code>${required.has(member) ? "" : " (not always)"}`,
        escapeHtml(formatType(one)),
        renderProse(one["description"] ?? "")
      ])
    )
}

const makeProblemRow = ({ help, status, title, type }: ProblemType) => [
  `<a href="${type.slice(1)}"><code>${escapeHtml(type)}</code></a>`,
  String(status),
  renderProse(`${title}. ${help}`)
]

/** The page with all operations, their members, and every type of problem. */
export const renderDocsPage = ({ components, info, paths }: OpenApiDocument): string => {
  const sections = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => renderOperation(path, method, one as Json))
  )
  const problems = new Set(Object.values<ProblemType>(problemTypes).map(({ title }) => title as string))
  const schemas = Object.entries(components.schemas).flatMap(([name, schema]) => {
    const one = schema as Json
    return problems.has(String(one["description"])) ? [] : [renderSchema(name, one)]
  })
  return renderPage(
    `${info.title} API ${info.version}`,
    `<h1>${escapeHtml(info.title)} API <small>${escapeHtml(info.version)}</small></h1>` +
      info.description.split("\n\n").map((part) => `<p>${renderProse(part)}</p>`).join("") +
      `<pre>curl -H "Authorization: Bearer $SOV_API_KEY" {base_url}/api/v1/sov</pre>` +
      `<p><a href="openapi.json">openapi.json</a></p>${sections.join("")}<h2>Members</h2>${
        schemas.join("")
      }<h2>Problems</h2>` +
      renderTable(["Type", "Status", "Meaning"], Object.values(problemTypes).map(makeProblemRow))
  )
}

/** The page of one type of problem, at the path of its `type`. */
export const renderProblemPage = ({ help, status, title, type }: ProblemType): string =>
  renderPage(
    title,
    `<h1>${escapeHtml(title)}</h1><p><code>${status}</code> <code>${escapeHtml(type)}</code></p><p>${
      renderProse(help)
    }</p>` +
      `<p><a href="../docs">All operations</a></p>`
  )
