/**
 * Every interval must say what it is about ("other questions like these", "these questions again"): in REST bodies and
 * tool results according to their schemas, in texts and on pages according to the source files that write ranges.
 */
import { makeOpenApiDocument } from "@sov/http/contract"
import { globSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { root } from "./plantedTree.ts"

type Json = { readonly [member: string]: unknown }

/** The paths of intervals in a schema whose subject is stated neither in the same object nor in an object around it. */
const findSilent = (root: Json, definitions: Json): ReadonlyArray<string> => {
  const silent = new Set<string>()
  const walk = (schema: unknown, path: ReadonlyArray<string>, isSaid: boolean, open: ReadonlySet<string>): void => {
    if (Array.isArray(schema)) return schema.forEach((one) => walk(one, path, isSaid, open))
    if (typeof schema !== "object" || schema === null) return
    const { $ref, properties, ...rest } = schema as Json
    const name = typeof $ref === "string" ? $ref.split("/").at(-1)! : null
    if (name !== null && !open.has(name)) walk(definitions[name], path, isSaid, new Set([...open, name]))
    const members = Object.entries((properties ?? {}) as Json)
    const says = isSaid || members.some(([member]) => member.endsWith("_about"))
    for (const [member, its] of members) {
      if (/interval(?!.*_about)/.test(member) && !says) silent.add([...path, member].join("."))
      walk(its, [...path, member], says, open)
    }
    for (const key of ["items", "anyOf", "oneOf", "allOf", "additionalProperties"]) walk(rest[key], path, isSaid, open)
  }
  walk(root, [], false, new Set())
  return [...silent]
}

it("every interval in a REST body or tool result states which questions it is about", () => {
  const document = makeOpenApiDocument("0.0.0") as unknown as { readonly components: { readonly schemas: Json } }
  const { schemas } = document.components
  const intervals = JSON.stringify(schemas).match(/"interval_95":/g) ?? []
  expect(intervals.length).toBeGreaterThan(5)
  // Schemas that are parts of these bodies are checked within them
  const bodies = ["Summary", "Definitions", "ScanList", "ArchivePage"]
  expect(bodies.flatMap((name) => findSilent(schemas[name] as Json, schemas))).toEqual([])
  expect(findSilent({ properties: { parts: { items: { properties: { interval_95: {} } } } } }, {}))
    .toEqual(["parts.interval_95"])
  for (const file of globSync("test/mcp/definitions/*.json", { cwd: root })) {
    const { outputSchema = {} } = JSON.parse(readFileSync(`${root}/${file}`, "utf8")) as {
      readonly outputSchema?: Json
    }
    expect(findSilent(outputSchema, (outputSchema["$defs"] ?? {}) as Json), file).toEqual([])
  }
})

/** Files that write ranges for other files, or intervals of something other than a share. */
const excused: { readonly [file: string]: string } = {
  "packages/cli/src/render/scoreView.ts": "formats ranges",
  "packages/http/src/dashboard/charts/trend.ts": "a drawing beside the headline",
  "packages/cli/src/commands/experiment/experiment.ts": "the effect of a change",
  "packages/http/src/client/shapes.ts": "the effect of a change",
  "packages/http/src/contract/experimentResources.ts": "the effect of a change",
  "packages/http/src/dashboard/pages/experiment.ts": "the effect of a change",
  "packages/http/src/dashboard/report/reportExperiments.ts": "the effect of a change",
  "packages/cli/src/commands/audit/noise.ts": "how often intervals hold the truth",
  "packages/http/src/dashboard/pages/lists.ts": "the head of a column, whose page says it",
  "packages/http/src/dashboard/pages/scan.ts": "beside the headline, which says it",
  "packages/http/src/dashboard/report/reportPanels.ts": "beside the headline, which says it"
}

it("every file that prints ranges of shares for people states which questions they are about", () => {
  const files = globSync("packages/{cli,http,mcp}/src/**/*.ts", { cwd: root })
  const writing = files.filter((file) =>
    /95 %|\b(?:formatRange|rangeText)\(/.test(readFileSync(`${root}/${file}`, "utf8"))
  )
  expect(writing.length).toBeGreaterThan(15)
  const silent = writing.filter((file) => !/\b(?:other|same)Questions\b/.test(readFileSync(`${root}/${file}`, "utf8")))
  expect(silent.filter((file) => !(file in excused))).toEqual([])
  expect(Object.keys(excused).filter((file) => !silent.includes(file))).toEqual([])
})
