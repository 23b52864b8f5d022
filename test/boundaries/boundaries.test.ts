/**
 * The import rules still bite: a tree with one violation per rule is linted by the linter, configuration and plugin
 * that lint the house, and every one has to be reported.
 */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { afterAll, describe, expect, it } from "vitest"

const house = path.resolve(import.meta.dirname, "../..")

interface Finding {
  readonly rule: string
  readonly file: string
  readonly message: string
}

const trees: Array<string> = []
afterAll(() => {
  for (const tree of trees) fs.rmSync(tree, { recursive: true, force: true })
})

/** Writes these files into a tree laid out like the house and lints it. */
const lint = (files: Record<string, string>): ReadonlyArray<Finding> => {
  // The real path: on some systems the temporary directory is a link, and rooms are found relative to the cwd.
  const tree = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), "sov-rooms-")))
  trees.push(tree)
  for (const name of [".oxlintrc.json", "tsconfig.json", "package.json", "test/boundaries/rooms.js"]) {
    fs.mkdirSync(path.dirname(path.join(tree, name)), { recursive: true })
    fs.copyFileSync(path.join(house, name), path.join(tree, name))
  }
  fs.symlinkSync(path.join(house, "node_modules"), path.join(tree, "node_modules"))
  for (const [name, code] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(tree, name)), { recursive: true })
    fs.writeFileSync(path.join(tree, name), code)
  }
  const oxlint = path.join(house, "node_modules/oxlint/bin/oxlint")
  const run = spawnSync(process.execPath, [oxlint, "--format", "json"], { cwd: tree, encoding: "utf8" })
  const report: { diagnostics: ReadonlyArray<{ code: string; message: string; filename: string }> } = JSON.parse(run.stdout)
  const findings = report.diagnostics.map(({ code, filename, message }) => ({ rule: code, file: filename, message }))
  expect(run.status, run.stderr).toBe(findings.length === 0 ? 0 : 1)
  return findings
}

/** `importer` → what it must not import, and a word of the allowed list that the message has to name. */
const core = "packages/core/src"
const violations: ReadonlyArray<
  { file: string; code: string; room: string; target: string; allowed: string }
> = [
  {
    file: `${core}/domain/Runs.ts`,
    code: `import { Effect } from "effect"\nexport const x = Effect.void`,
    room: "core/domain",
    target: "Effect of effect",
    allowed: "Duration"
  },
  {
    file: `${core}/domain/Whole.ts`,
    code: `import type * as All from "effect"\nexport type X = All.Duration.Duration`,
    room: "core/domain",
    target: "* of effect",
    allowed: "Schema"
  },
  {
    file: `${core}/domain/Inline.ts`,
    code: `export type X = import("effect").Layer.Layer<never>`,
    room: "core/domain",
    target: "Layer of effect",
    allowed: "Schema"
  },
  {
    file: `${core}/domain/Reads.ts`,
    code: `export { readFileSync } from "node:fs"`,
    room: "core/domain",
    target: "node:fs",
    allowed: "node:crypto"
  },
  {
    file: `${core}/domain/Asks.ts`,
    code: `import type { Port } from "../ports/Port.ts"\nexport type X = Port`,
    room: "core/domain",
    target: "core/ports",
    allowed: "effect, node:crypto, core/domain"
  },
  {
    file: `${core}/ports/Does.ts`,
    code: `export * from "../usecases/verb.ts"`,
    room: "core/ports",
    target: "core/usecases",
    allowed: "core/ports"
  },
  {
    file: `${core}/usecases/queries.ts`,
    code: `import { store } from "../adapters/postgres/index.ts"\nexport const x = store`,
    room: "core/usecases",
    target: "core/adapters/postgres",
    allowed: "effect/crypto"
  },
  {
    file: `${core}/usecases/speaksSql.ts`,
    code: `import { SqlClient } from "effect/sql"\nexport const x = SqlClient`,
    room: "core/usecases",
    target: "effect/sql",
    allowed: "effect/crypto"
  },
  {
    file: `${core}/adapters/postgres/decides.ts`,
    code: `import { verb } from "../../usecases/verb.ts"\nexport const x = verb`,
    room: "core/adapters/postgres",
    target: "core/usecases",
    allowed: "core/adapters/embedded/index.ts"
  },
  {
    file: `${core}/adapters/postgres/reachesIn.ts`,
    code: `import { hub } from "../embedded/hub.ts"\nexport const x = hub`,
    room: "core/adapters/postgres",
    target: "core/adapters/embedded ",
    allowed: "core/adapters/embedded/index.ts"
  },
  {
    file: `${core}/adapters/embedded/knows.ts`,
    code: `import { Port } from "../../ports/Port.ts"\nexport const x: Port = { id: "x" }`,
    room: "core/adapters/embedded",
    target: "core/ports",
    allowed: "@electric-sql/pglite"
  },
  {
    file: `${core}/adapters/outbound/stores.ts`,
    code: `import { PgClient } from "@effect/sql-pg"\nexport const x = PgClient`,
    room: "core/adapters/outbound",
    target: "@effect/sql-pg",
    allowed: "node:*"
  },
  {
    file: `${core}/adapters/outbound/borrows.ts`,
    code: `export const x = () => import("../postgres/index.ts")`,
    room: "core/adapters/outbound",
    target: "core/adapters/postgres",
    allowed: "core/adapters/outbound"
  },
  {
    file: `${core}/adapters/outbound/computes.ts`,
    code: `export const x = (name: string) => import(name)`,
    room: "core/adapters/outbound",
    target: "a computed path",
    allowed: ""
  },
  {
    file: `${core}/adapters/simulated/calls.ts`,
    code: `import { request } from "node:http"\nexport const x = request`,
    room: "core/adapters/simulated",
    target: "node:http",
    allowed: "core/ports"
  },
  {
    file: `${core}/testing/wires.ts`,
    code: `import { store } from "../adapters/postgres/index.ts"\nexport const x = store`,
    room: "core/testing",
    target: "core/adapters/postgres",
    allowed: "core/usecases"
  },
  {
    file: `${core}/index.ts`,
    code: `export { store } from "./adapters/postgres/index.ts"`,
    room: "core/index.ts",
    target: "core/adapters/postgres",
    allowed: "core/domain, core/ports, core/usecases"
  },
  {
    file: `${core}/webhook.ts`,
    code: `import { Schema } from "effect"\nexport const x = Schema.String`,
    room: "core/webhook.ts",
    target: "effect",
    allowed: "node:crypto"
  },
  {
    file: `${core}/usecases/upward.ts`,
    code: `import * as mcp from "@sov/mcp"\nexport const x = mcp`,
    room: "core/usecases",
    target: "@sov/mcp",
    allowed: "core/domain"
  },
  {
    file: `${core}/usecases/tested.ts`,
    code: `import { seeds } from "../../../../test/support/seeds.ts"\nexport const x = seeds`,
    room: "core/usecases",
    target: "test",
    allowed: "core/domain"
  },
  {
    file: "packages/mcp/src/tools.ts",
    code: `import { store } from "@sov/core/postgres"\nexport const x = store`,
    room: "mcp",
    target: "@sov/core/postgres",
    allowed: "@sov/core"
  },
  {
    file: "packages/http/src/server.ts",
    code: `import { deep } from "../../core/src/usecases/verb.ts"\nexport const x = deep`,
    room: "http",
    target: "core/usecases",
    allowed: "@sov/mcp"
  },
  {
    file: "packages/cli/src/commands/scan.ts",
    code: `import { store } from "@sov/core/postgres"\nexport const x = store`,
    room: "cli",
    target: "@sov/core/postgres",
    allowed: "@sov/core/webhook"
  },
  {
    file: "packages/cli/src/commands/ask.ts",
    code: `export const x = () => import("@sov/core/outbound")`,
    room: "cli",
    target: "@sov/core/outbound",
    allowed: "commander"
  },
  {
    file: "packages/cli/src/main.ts",
    code: `import { Effect } from "effect"\nexport const x = Effect.void`,
    room: "cli/main.ts",
    target: "effect",
    allowed: "commander, node:*, cli/eager"
  },
  {
    file: "packages/cli/src/tree/scan.ts",
    code: `import { x } from "../commands/allowed.ts"\nexport const y = x`,
    room: "cli/eager",
    target: "cli",
    allowed: "cli/eager"
  },
  {
    file: "packages/cli/src/exitCodes.ts",
    code: `import { Effect } from "effect"\nexport const x = Effect.void`,
    room: "cli/eager",
    target: "effect",
    allowed: "node:*"
  },
  {
    file: "test/usecases/deep.unit.test.ts",
    code: `import { verb } from "../../packages/core/src/usecases/verb.ts"\nexport const x = verb`,
    room: "test",
    target: "core/usecases",
    allowed: "packages by name"
  }
]

const body = (lines: number, line: string) => Array.from({ length: lines }, line.replaceAll.bind(line, "$")).join("\n")

describe("rooms", () => {
  it("reports every import that the table does not allow, and nothing else", () => {
    const findings = lint(Object.fromEntries(violations.map(({ code, file }) => [file, `${code}\n`])))
    const rooms = findings.filter(({ rule }) => rule === "sov(rooms)")
    for (const { allowed, file, room, target } of violations) {
      const messages = rooms.filter((finding) => finding.file === file).map(({ message }) => message)
      expect(messages, file).toHaveLength(1)
      expect(messages[0]).toContain(`${room} may not import ${target}`)
      if (allowed !== "") expect(messages[0]?.split("(allowed: ")[1], file).toContain(allowed)
    }
    expect(rooms).toHaveLength(violations.length)
  })
})
