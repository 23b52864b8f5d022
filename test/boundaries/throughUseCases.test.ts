/** The command line and both servers call use cases: they may not import the services of core's ports. */
import * as fs from "node:fs"
import * as path from "node:path"
import { expect, it } from "vitest"
import { core, lint, root } from "./plantedTree.ts"
import { servicesOf } from "./rooms.js"

it("cli, http and mcp cannot import the services that core's ports declare, under any name", () => {
  const port = (name: string, base = "Context.Service") =>
    `import { Context } from "effect"\nexport class ${name} extends ${base}<${name}, object>()("${name}") {}\n`
  const taking = (code: string) => `import { Effect } from "effect"\n${code}\nexport const y = Effect.void\n`
  const findings = lint({
    [`${core}/ports/NewStore.ts`]: port("NewStore"),
    [`${core}/ports/deeper/EmailQueue.ts`]: port("EmailQueue"),
    [`${core}/ports/Setting.ts`]:
      `import { Context } from "effect"\nexport const Setting = Context.Reference("Setting", { defaultValue: () => 1 })\n`,
    [`${core}/ports/Failure.ts`]: `export class Failure extends Error {}\n`,
    "packages/cli/src/commands/reads.ts": taking(
      `import { Failure, NewStore } from "@sov/core/scanning"\nexport const x = [Failure, NewStore]`
    ),
    "packages/cli/src/runtime/wires.ts": taking(
      `import { NewStore } from "@sov/core/scanning"\nexport const x = NewStore`
    ),
    "packages/http/src/handlers/renames.ts": taking(
      `import { EmailQueue as Queue } from "@sov/core/scanning"\nexport const x = Queue`
    ),
    "packages/http/src/handlers/types.ts": taking(
      `import type { NewStore } from "@sov/core/scanning"\nexport type X = NewStore`
    ),
    "packages/http/src/handlers/inline.ts": taking(`export type X = import("@sov/core/scanning").EmailQueue`),
    "packages/cli/src/commands/sets.ts": taking(
      `import { Setting } from "@sov/core/scanning"\nexport const x = Setting`
    ),
    "packages/mcp/src/passes.ts": taking(`export { NewStore } from "@sov/core/scanning"`),
    "packages/mcp/src/whole.ts": taking(`import * as all from "@sov/core/scanning"\nexport const x = all`)
  }).filter(({ rule }) => rule === "sov(rooms)").map(({ file, message }) => `${file}: ${message.split(":")[0]}`)
  expect(findings.toSorted()).toEqual([
    "packages/cli/src/commands/reads.ts: cli may not import the service NewStore of a port",
    "packages/cli/src/commands/sets.ts: cli may not import the service Setting of a port",
    "packages/http/src/handlers/inline.ts: http may not import the service EmailQueue of a port",
    "packages/http/src/handlers/renames.ts: http may not import the service EmailQueue of a port",
    "packages/http/src/handlers/types.ts: http may not import the service NewStore of a port",
    "packages/mcp/src/passes.ts: mcp may not import the service NewStore of a port",
    "packages/mcp/src/whole.ts: mcp may not import all of @sov/core/scanning at once"
  ])
})

it("the list of services contains every service that core's ports export", () => {
  const declared = fs.globSync(`${core}/ports/**/*.ts`, { cwd: root })
    .flatMap((
      file
    ) => [...fs.readFileSync(path.join(root, file), "utf8").matchAll(/Context\.(?:Service|Reference)\b/g)])
  // All services except ThisProcess, the only one that programs may import
  expect(servicesOf(root).size).toBe(declared.length - 1)
  expect([...servicesOf(root)]).toEqual(expect.arrayContaining(["ScanStore", "Mailer"]))
})
