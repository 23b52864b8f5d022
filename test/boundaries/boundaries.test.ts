/**
 * Tests the import rules: the linter, with this repository's configuration and plugin, runs on a tree with one
 * violation of each rule and must report all of them.
 */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { describe, expect, it } from "vitest"
import { core, lint, root, writeFiles } from "./plantedTree.ts"
import { ROOMS } from "./rooms.js"

/** A file, its code, and what the message must contain: room, target, and a part of the allowed list. */
const violations: ReadonlyArray<[file: string, code: string, room: string, target: string, allowed: string]> = [
  [
    `${core}/domain/Runs.ts`,
    `import { Effect } from "effect"\nexport const x = Effect.void`,
    "core/domain",
    "Effect of effect",
    "Duration"
  ],
  [
    `${core}/domain/Whole.ts`,
    `import type * as All from "effect"\nexport type X = All.Duration.Duration`,
    "core/domain",
    "* of effect",
    "Schema"
  ],
  [
    `${core}/domain/Inline.ts`,
    `export type X = import("effect").Layer.Layer<never>`,
    "core/domain",
    "Layer of effect",
    "Schema"
  ],
  [`${core}/domain/Reads.ts`, `export { readFileSync } from "node:fs"`, "core/domain", "node:fs", "node:crypto"],
  [
    `${core}/domain/Asks.ts`,
    `import type { Port } from "../ports/Port.ts"\nexport type X = Port`,
    "core/domain",
    "core/ports",
    "effect, node:crypto, core/domain"
  ],
  [
    `${core}/domain/webhooks/eventNames.ts`,
    `import { Schema } from "effect"\nexport const x = Schema.String`,
    "core/names",
    "effect",
    "core/names"
  ],
  [
    `${core}/names.ts`,
    `export { Plan } from "./domain/organizations/Plan.ts"`,
    "core/names",
    "core/domain",
    "core/names"
  ],
  [
    `${core}/domain/shows.ts`,
    `export { scanJson } from "../json/scanning.ts"`,
    "core/domain",
    "core/json",
    "core/names"
  ],
  [
    `${core}/usecases/shows.ts`,
    `export { scanJson } from "../json/scanning.ts"`,
    "core/usecases",
    "core/json",
    "core/ports"
  ],
  [
    `${core}/json/reads.ts`,
    `export { verb } from "../usecases/verb.ts"`,
    "core/json",
    "core/usecases",
    "core/domain, core/json"
  ],
  [
    `${core}/ports/Does.ts`,
    `export * from "../usecases/verb.ts"`,
    "core/ports",
    "core/usecases",
    "core/ports"
  ],
  [
    `${core}/usecases/queries.ts`,
    `import { store } from "../adapters/postgres/index.ts"\nexport const x = store`,
    "core/usecases",
    "core/adapters/postgres",
    "effect/crypto"
  ],
  [
    `${core}/usecases/speaksSql.ts`,
    `import { SqlClient } from "effect/sql"\nexport const x = SqlClient`,
    "core/usecases",
    "effect/sql",
    "effect/crypto"
  ],
  [
    `${core}/adapters/postgres/decides.ts`,
    `import { verb } from "../../usecases/verb.ts"\nexport const x = verb`,
    "core/adapters/postgres",
    "core/usecases",
    "core/adapters/embedded/index.ts"
  ],
  [
    `${core}/adapters/postgres/reachesIn.ts`,
    `import { hub } from "../embedded/hub.ts"\nexport const x = hub`,
    "core/adapters/postgres",
    "core/adapters/embedded ",
    "core/adapters/embedded/index.ts"
  ],
  [
    `${core}/adapters/embedded/knows.ts`,
    `import { Port } from "../../ports/Port.ts"\nexport const x: Port = { id: "x" }`,
    "core/adapters/embedded",
    "core/ports",
    "@electric-sql/pglite"
  ],
  [
    `${core}/adapters/outbound/stores.ts`,
    `import { PgClient } from "@effect/sql-pg"\nexport const x = PgClient`,
    "core/adapters/outbound",
    "@effect/sql-pg",
    "node:*"
  ],
  [
    `${core}/adapters/outbound/borrows.ts`,
    `export const x = () => import("../postgres/index.ts")`,
    "core/adapters/outbound",
    "core/adapters/postgres",
    "core/adapters/outbound"
  ],
  [
    `${core}/adapters/outbound/computes.ts`,
    `export const x = (name: string) => import(name)`,
    "core/adapters/outbound",
    "a computed path",
    ""
  ],
  [
    `${core}/testing/wires.ts`,
    `import { store } from "../adapters/postgres/index.ts"\nexport const x = store`,
    "core/testing",
    "core/adapters/postgres",
    "core/usecases"
  ],
  [
    `${core}/index.ts`,
    `export { store } from "./adapters/postgres/index.ts"`,
    "core/index.ts",
    "core/adapters/postgres",
    "core/capabilities"
  ],
  [
    `${core}/webhook.ts`,
    `import { Schema } from "effect"\nexport const x = Schema.String`,
    "core/webhook.ts",
    "effect",
    "node:crypto"
  ],
  [
    `${core}/usecases/upward.ts`,
    `import * as mcp from "@sov/mcp"\nexport const x = mcp`,
    "core/usecases",
    "@sov/mcp",
    "core/domain"
  ],
  [
    `${core}/usecases/tested.ts`,
    `import { seeds } from "../../../../test/support/seeds.ts"\nexport const x = seeds`,
    "core/usecases",
    "test",
    "core/domain"
  ],
  [
    "packages/mcp/src/tools.ts",
    `import { store } from "@sov/core/postgres"\nexport const x = store`,
    "mcp",
    "@sov/core/postgres",
    "@sov/core/scanning"
  ],
  ["packages/mcp/src/all.ts", `export * from "@sov/core"`, "mcp", "@sov/core", "@sov/core/scanning"],
  [
    "packages/http/src/server.ts",
    `import { deep } from "../../core/src/usecases/verb.ts"\nexport const x = deep`,
    "http",
    "core/usecases",
    "@sov/core/scanning"
  ],
  [
    "packages/http/src/contract/serves.ts",
    `import { x } from "../server.ts"\nexport const y = x`,
    "http/contract",
    "http",
    "effect/http-api"
  ],
  [
    "packages/cli/src/commands/scan.ts",
    `import { store } from "@sov/core/postgres"\nexport const x = store`,
    "cli",
    "@sov/core/postgres",
    "@sov/core/webhook"
  ],
  [
    "packages/cli/src/commands/ask.ts",
    `export const x = () => import("@sov/core/outbound")`,
    "cli",
    "@sov/core/outbound",
    "commander"
  ],
  [
    "packages/cli/src/main.ts",
    `import { Effect } from "effect"\nexport const x = Effect.void`,
    "cli/main.ts",
    "effect",
    "commander, node:*, cli/eager"
  ],
  [
    "packages/cli/src/tree/scan.ts",
    `import { x } from "../commands/allowed.ts"\nexport const y = x`,
    "cli/eager",
    "cli",
    "cli/eager"
  ],
  [
    "packages/cli/src/exitCodes.ts",
    `import { Effect } from "effect"\nexport const x = Effect.void`,
    "cli/eager",
    "effect",
    "node:*"
  ],
  [
    "test/outbound/astray.unit.test.ts",
    `import { hub } from "../../packages/core/src/adapters/embedded/hub.ts"\nexport const x = hub`,
    "test/outbound",
    "core/adapters/embedded",
    "core/adapters/outbound"
  ],
  [
    "test/usecases/deep.unit.test.ts",
    `import { verb } from "../../packages/core/src/usecases/verb.ts"\nexport const x = verb`,
    "test",
    "core/usecases",
    "packages by name"
  ]
]

/** For each room, one file with imports that the table allows. */
const granted: Record<string, string> = {
  [`${core}/domain/Word.ts`]:
    `import { createHash } from "node:crypto"\nimport { type Brand, Schema } from "effect"\n` +
    `export const Word = Schema.String\nexport type Word = Brand.Branded<string, "Word">\nexport const hash = createHash\n`,
  [`${core}/ports/Port.ts`]:
    `import { Context, type Effect } from "effect"\nimport type { Word } from "../domain/Word.ts"\n` +
    `export class Port extends Context.Service<Port, { readonly ask: Effect.Effect<Word> }>()("Port") {}\n`,
  [`${core}/usecases/verb.ts`]: `import { Effect } from "effect"\nimport { Port } from "../ports/Port.ts"\n` +
    `export const verb = Effect.flatMap(Port, (port) => port.ask)\n`,
  [`${core}/adapters/embedded/index.ts`]:
    `import { PGlite } from "@electric-sql/pglite"\nimport * as net from "node:net"\nexport const home = [PGlite, net]\n`,
  [`${core}/adapters/postgres/index.ts`]:
    `import { PgClient } from "@effect/sql-pg"\nimport { Layer } from "effect"\nimport { SqlClient } from "effect/sql"\n` +
    `import { Word } from "../../domain/Word.ts"\nimport { Port } from "../../ports/Port.ts"\n` +
    `import { home } from "../embedded/index.ts"\nexport const store = [PgClient, Layer, SqlClient, Word, Port, home]\n`,
  [`${core}/adapters/outbound/index.ts`]:
    `import { HttpClient } from "effect/http"\nimport * as https from "node:https"\nexport const out = [HttpClient, https]\n`,
  [`${core}/testing/index.ts`]:
    `import { TestClock } from "effect/testing"\nimport { verb } from "../usecases/verb.ts"\n` +
    `export const suite = [TestClock, verb]\n`,
  [`${core}/capabilities/scanning.ts`]:
    `export * from "../domain/Word.ts"\nexport * from "../ports/Port.ts"\nexport * from "../usecases/verb.ts"\n`,
  [`${core}/index.ts`]: `export * from "./capabilities/scanning.ts"\n`,
  [`${core}/webhook.ts`]: `export { createHmac } from "node:crypto"\n`,
  "packages/mcp/src/tools.ts":
    `import { verb } from "@sov/core/scanning"\nimport { Effect } from "effect"\nexport * from "@sov/http"\n` +
    `export const x = [Effect, verb]\n`,
  "packages/http/src/server.ts":
    `import { verb } from "@sov/core/scanning"\nimport { HttpRouter } from "effect/http"\nexport const x = [HttpRouter, verb]\n`,
  "packages/cli/src/main.ts":
    `import { Command } from "commander"\nimport type { Effect } from "effect"\nimport { ok } from "./exitCodes.ts"\n` +
    `export const x = [Command, ok, () => import("./commands/scan.ts"), () => import("@sov/core/postgres")]\n` +
    `export type X = Effect.Effect<void>\n`,
  "packages/cli/src/exitCodes.ts": `export const ok = 0\n`,
  "packages/cli/src/runtime.ts":
    `import { Port } from "@sov/core/scanning"\nimport * as outbound from "@sov/core/outbound"\n` +
    `import * as postgres from "@sov/core/postgres"\nexport const x = [Port, outbound, postgres]\n`,
  "packages/cli/src/commands/scan.ts":
    `import { verb } from "@sov/core/scanning"\nimport { Effect } from "effect"\nimport { ok } from "../exitCodes.ts"\n` +
    `import { x } from "../runtime.ts"\nexport const scan = [Effect, verb, ok, x]\n`,
  "test/usecases/verb.unit.test.ts":
    `import * as core from "@sov/core"\nimport { seeds } from "../support/seeds.ts"\nexport const x = [core, seeds]\n`,
  "test/cli/exit.unit.test.ts": `import { ok } from "../../packages/cli/src/exitCodes.ts"\nexport const x = ok\n`,
  "test/embedded/frames.unit.test.ts":
    `import { home } from "../../packages/core/src/adapters/embedded/index.ts"\nexport const x = home\n`,
  [`${core}/adapters/embedded/waits.ts`]: `export const x = () => Date.now()\n`,
  "test/support/seeds.ts": `export const seeds = 1\n`
}

/** For each further lint rule, one violation that the rule must report. */
const faults: ReadonlyArray<[rule: string, file: string, code: string, message: string]> = [
  ["sov(rooms)", `${core}/stray.ts`, `export const x = 1`, "lies in no room"],
  ["sov(ambient)", `${core}/usecases/env.ts`, `export const x = process.env["HOME"]`, "Config"],
  ["sov(ambient)", `${core}/usecases/now.ts`, `export const x = () => Date.now()`, "Clock"],
  ["sov(ambient)", `${core}/domain/today.ts`, `export const x = () => new Date()`, "Clock"],
  ["sov(ambient)", `${core}/domain/dice.ts`, `export const x = () => Math.random()`, "Random"],
  [
    "sov(ambient)",
    `${core}/domain/token.ts`,
    `export { }\nimport { randomBytes } from "node:crypto"\nrandomBytes(1)`,
    "Crypto"
  ],
  [
    "sov(reasons)",
    `${core}/domain/silent.ts`,
    `// oxlint-disable-next-line sov/ambient\nexport const x = () => Math.random()`,
    "needs its reason"
  ],
  ["typescript(no-floating-promises)", "packages/cli/src/floats.ts", `const f = async () => 1\nf()\nexport {}`, ""],
  ["typescript(no-explicit-any)", "packages/cli/src/anything.ts", `export const x = (y: any): unknown => y`, ""],
  ["eslint(max-lines)", `${core}/domain/Long.ts`, "export {}\n" + ";[1].at(0)\n".repeat(400), "(401)"],
  ["import(no-cycle)", `${core}/domain/ring.ts`, `export { y as x } from "./rong.ts"`, ""],
  ["import(no-cycle)", `${core}/domain/rong.ts`, `export { x as y } from "./ring.ts"`, ""]
]

const written = (rows: ReadonlyArray<readonly [file: string, code: string]>) =>
  Object.fromEntries(rows.map(([file, code]) => [file, `${code}\n`]))

describe("rooms", () => {
  it("a forbidden import is reported with its room, its target and the list of allowed imports", () => {
    const findings = lint(written(violations.map(([file, code]) => [file, code])))
    const reported = findings.filter(({ rule }) => rule === "sov(rooms)")
    for (const [file, , room, target, allowed] of violations) {
      const messages = reported.filter((finding) => finding.file === file).map(({ message }) => message)
      expect(messages, file).toHaveLength(1)
      expect(messages[0]).toContain(`${room} may not import ${target}`)
      expect(messages[0]?.split(allowed === "" ? " import " : "(allowed: ")[1], file).toContain(allowed)
    }
    expect(reported).toHaveLength(violations.length)
  })

  it("an allowed import is not reported", () => {
    expect(lint(granted)).toEqual([])
  })
})

describe("the other lint rules", () => {
  it("each rule finds the violation that was planted for it", () => {
    const findings = lint(written(faults.map(([, file, code]) => [file, code])))
    for (const [rule, file, , message] of faults) {
      const found = findings.filter((finding) => finding.file === file && finding.rule === rule)
      expect(found.length, `${rule} in ${file}`).toBeGreaterThan(0)
      expect(found[0]?.message).toContain(message)
    }
  })

  it("the rules find Effects that are never run, and services that are passed as values", () => {
    const tree = writeFiles({
      [`${core}/usecases/drops.ts`]: `import { Effect } from "effect"
export const x = Effect.gen(function*() {
  Effect.log("dropped")
  try { yield* Effect.void } catch { return }
  setTimeout(() => undefined, process.env["WAIT"] === "" ? 1 : Math.random())
  yield* Effect.promise(() => fetch("http://localhost"))
  yield* Effect.fail("x")
})
`,
      "test/drops.unit.test.ts": `import { Effect } from "effect"
import { it } from "vitest"
it("never runs", () => Effect.void)
`
    })
    const tsgo = path.join(root, "node_modules/@effect/tsgo/dist/effect-tsgo.cjs")
    const arguments_ = [tsgo, "diagnostics", "--project", "tsconfig.json", "--strict", "--format", "text"]
    const { status, stdout } = spawnSync(process.execPath, arguments_, { cwd: tree, encoding: "utf8" })
    const found = [...stdout.matchAll(/error effect\((\w+)\)/g)].map(([, rule = ""]) => rule).toSorted()
    expect(found).toEqual([
      "floatingEffect",
      "floatingEffectInVitest",
      "globalFetchInEffect",
      "globalRandomInEffect",
      "globalTimersInEffect",
      "missingReturnYieldStar",
      "processEnvInEffect",
      "tryCatchInEffectGen"
    ])
    expect(status).toBe(1)
  })

  it("the rules accept an exception with a reason, and a file of 400 code lines", () => {
    expect(lint({
      [`${core}/adapters/outbound/jitter.ts`]:
        `// oxlint-disable-next-line sov/ambient -- jitter is not part of any result\nexport const x = () => Math.random()\n`,
      [`${core}/domain/Full.ts`]: `// why\n\n/** what */\nexport {}\n` + ";[1].at(0)\n".repeat(399)
    })).toEqual([])
  })

  it("every source file belongs to a room, and no room is empty", () => {
    const missing = ROOMS.flatMap(({ paths }) => paths).filter((name) => !fs.existsSync(path.join(root, name)))
    expect(ROOMS.length).toBeGreaterThan(20)
    expect(missing).toEqual([])
  })

  it("no rule is switched off for a whole file", () => {
    const sources = fs.globSync("{packages/*/src,test}/**/*.{ts,js}", { cwd: root, exclude: ["**/node_modules/**"] })
    const blanket = sources.filter((file) =>
      /(?:\/\*|\/\/)\s*(?:oxlint|eslint)-disable(?![-\w])/.test(fs.readFileSync(path.join(root, file), "utf8"))
    )
    expect(sources.length).toBeGreaterThan(20)
    expect(blanket).toEqual([])
  })
})
