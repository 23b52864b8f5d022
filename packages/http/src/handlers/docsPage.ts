/** The OpenAPI document as a page of plain HTML, without scripts, fonts or anything from other hosts. */
import type { OpenApiDocument } from "../contract/document.ts"
import { type ProblemType, problemTypes } from "../contract/problemTypes.ts"

export const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h2 { margin-top: 3rem; border-bottom: 1px solid #8884 }
code, pre { font-family: ui-monospace, monospace; font-size: .9em }
pre { background: #8881; padding: .75rem; overflow-x: auto; border-radius: .4rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #8883 }
.method { font-weight: 700 }
`

type Json = { readonly [member: string]: unknown }

const plain = (value: unknown): string => typeof value === "string" ? value : JSON.stringify(value) ?? ""

const escaped = (text: unknown): string =>
  plain(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Escaped text, with text in backticks as code. */
const prose = (text: unknown): string => escaped(text).replace(/`([^`]*)`/g, "<code>$1</code>")

const json = (value: unknown): string => `<pre>${escaped(JSON.stringify(value, null, 2))}</pre>`

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.length === 0 ?
    "" :
    `<table><thead><tr>${head.map((cell) => `<th>${cell}</th>`).join("")}</tr></thead><tbody>${
      rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("")
    }</tbody></table>`

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${escaped(title)}</title><style>${style}</style></head><body>${body}</body></html>`

/** A schema in a few words; references are named, not followed. */
const typeText = (schema: Json | undefined): string => {
  if (schema === undefined) return ""
  if (typeof schema["$ref"] === "string") return schema["$ref"].split("/").at(-1) ?? ""
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => JSON.stringify(value)).join(" | ")
  if (schema["type"] === "array") return `array of ${typeText(schema["items"] as Json)}`
  if (Array.isArray(schema["anyOf"]) && schema["type"] === undefined) {
    return schema["anyOf"].map((one) => typeText(one as Json)).join(" | ")
  }
  const bounds = schema["minimum"] === undefined
    ? ""
    : ` ${plain(schema["minimum"])}–${plain(schema["maximum"])}`
  const preset = schema["default"] === undefined ? "" : `, default ${plain(schema["default"])}`
  return `${plain(schema["type"])}${
    schema["format"] === undefined ? "" : ` (${plain(schema["format"])})`
  }${bounds}${preset}`
}

const parameterRows = (operation: Json) =>
  (operation["parameters"] as ReadonlyArray<Json>).map((one) => [
    `<code>${escaped(one["name"])}</code>`,
    escaped(one["in"]),
    escaped(typeText(one["schema"] as Json)),
    prose(one["description"] ?? "")
  ])

const responseRows = (operation: Json) =>
  Object.entries(operation["responses"] as { readonly [status: string]: Json }).map(([status, one]) => [
    `<code>${status}</code>`,
    prose(one["description"])
  ])

const exampleOf = (holder: unknown): unknown =>
  Object.values((holder as { readonly content?: { readonly [type: string]: Json } } | undefined)?.content ?? {})[0]
    ?.["example"]

const operationSection = (path: string, method: string, operation: Json): string => {
  const responses = operation["responses"] as { readonly [status: string]: unknown }
  const success = responses["200"] ?? responses["202"]
  const body = exampleOf(operation["requestBody"])
  return `<h2 id="${escaped(operation["operationId"])}"><span class="method">${method.toUpperCase()}</span> ` +
    `<code>${escaped(path)}</code></h2><p><strong>${prose(operation["summary"])}.</strong> ${
      prose(operation["description"])
    }</p>` +
    table(["Parameter", "In", "Type", "Meaning"], parameterRows(operation)) +
    (body === undefined ? "" : `<p>Body, optional:</p>${json(body)}`) +
    `<p>Answer:</p>${json(exampleOf(success))}` + table(["Status", "Meaning"], responseRows(operation))
}

const schemaSection = (name: string, schema: Json): string => {
  const required = new Set(schema["required"] as ReadonlyArray<string> | undefined)
  const members = Object.entries((schema["properties"] ?? {}) as { readonly [member: string]: Json })
  return members.length === 0 ? "" : `<h3 id="${escaped(name)}">${escaped(name)}</h3>` +
    table(
      ["Member", "Type", "Meaning"],
      members.map(([member, one]) => [
        `<code>${escaped(member)}</code>${required.has(member) ? "" : " (not always)"}`,
        escaped(typeText(one)),
        prose(one["description"] ?? "")
      ])
    )
}

const problemRow = ({ help, status, title, type }: ProblemType) => [
  `<a href="${type.slice(1)}"><code>${escaped(type)}</code></a>`,
  String(status),
  prose(`${title}. ${help}`)
]

/** All operations, their members, and every type of problem. */
export const docsPage = ({ components, info, paths }: OpenApiDocument): string => {
  const sections = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => operationSection(path, method, one as Json))
  )
  const problems = new Set(Object.values<ProblemType>(problemTypes).map(({ title }) => title as string))
  const schemas = Object.entries(components.schemas).flatMap(([name, schema]) => {
    const one = schema as Json
    return problems.has(String(one["description"])) ? [] : [schemaSection(name, one)]
  })
  return page(
    `${info.title} API ${info.version}`,
    `<h1>${escaped(info.title)} API <small>${escaped(info.version)}</small></h1>` +
      info.description.split("\n\n").map((part) => `<p>${prose(part)}</p>`).join("") +
      `<pre>curl -H "Authorization: Bearer $SOV_API_KEY" {base_url}/api/v1/sov</pre>` +
      `<p><a href="openapi.json">openapi.json</a></p>${sections.join("")}<h2>Members</h2>${
        schemas.join("")
      }<h2>Problems</h2>` +
      table(["Type", "Status", "Meaning"], Object.values(problemTypes).map(problemRow))
  )
}

/** The page of one type of problem, at the path of its `type`. */
export const problemPage = ({ help, status, title, type }: ProblemType): string =>
  page(
    title,
    `<h1>${escaped(title)}</h1><p><code>${status}</code> <code>${escaped(type)}</code></p><p>${prose(help)}</p>` +
      `<p><a href="../docs">All operations</a></p>`
  )
