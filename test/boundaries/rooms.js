/**
 * The house's import rules as a linter plugin.
 *
 * `sov/rooms` holds the one table of who may import whom. A source file belongs to the first room whose path it lies
 * under; an import is named by the room it reaches (relative paths) or by its package name, and must be on the list.
 * `sov/ambient` keeps clock, randomness and environment out of core: there they are services, so that tests own them.
 * `sov/reasons` asks every suppressed finding for its reason (`-- why`).
 */

/** Modules of the `effect` package that hold plain data and pure functions: all that the domain may take of it. */
const DATA = [
  "Array",
  "BigDecimal",
  "Brand",
  "Chunk",
  "Data",
  "DateTime",
  "Duration",
  "Encoding",
  "Equal",
  "Equivalence",
  "Filter",
  "flow",
  "Function",
  "Hash",
  "HashMap",
  "HashSet",
  "identity",
  "Iterable",
  "Match",
  "Number",
  "Option",
  "Order",
  "pipe",
  "Predicate",
  "Record",
  "Result",
  "Schema",
  "SchemaGetter",
  "SchemaIssue",
  "SchemaTransformation",
  "String",
  "Struct",
  "Tuple",
  "Types"
]

/**
 * Which room may import which. `path` ends in `/` for a folder, else names one file. `may` lists rooms and packages
 * (`x/*` = every entry below x). `effectData` narrows `effect` to its data modules. `lazily` may be reached by
 * `import()` and `import type` only: what is not loaded at start costs nothing at start.
 */
export const ROOMS = [
  {
    room: "core/domain",
    path: "packages/core/src/domain/",
    may: ["effect", "node:crypto", "core/domain"],
    effectData: true
  },
  { room: "core/ports", path: "packages/core/src/ports/", may: ["effect", "core/domain", "core/ports"] },
  {
    room: "core/usecases",
    path: "packages/core/src/usecases/",
    may: ["effect", "effect/crypto", "core/domain", "core/ports", "core/usecases"]
  },
  {
    room: "core/adapters/embedded/index.ts",
    path: "packages/core/src/adapters/embedded/index.ts",
    may: ["effect", "effect/*", "@effect/*", "@electric-sql/pglite", "node:*", "core/adapters/embedded"]
  },
  {
    room: "core/adapters/embedded",
    path: "packages/core/src/adapters/embedded/",
    may: ["effect", "effect/*", "@effect/*", "@electric-sql/pglite", "node:*", "core/adapters/embedded"]
  },
  {
    room: "core/adapters/postgres",
    path: "packages/core/src/adapters/postgres/",
    may: [
      "effect",
      "effect/*",
      "@effect/*",
      "node:crypto",
      "core/domain",
      "core/ports",
      "core/adapters/postgres",
      "core/adapters/embedded/index.ts"
    ]
  },
  {
    room: "core/adapters/outbound",
    path: "packages/core/src/adapters/outbound/",
    may: ["effect", "effect/*", "node:*", "core/domain", "core/ports", "core/adapters/outbound"]
  },
  {
    room: "core/adapters/simulated",
    path: "packages/core/src/adapters/simulated/",
    may: ["effect", "node:crypto", "core/domain", "core/ports", "core/adapters/simulated"]
  },
  {
    room: "core/testing",
    path: "packages/core/src/testing/",
    may: ["effect", "effect/*", "core/domain", "core/ports", "core/usecases", "core/testing"]
  },
  {
    room: "core/index.ts",
    path: "packages/core/src/index.ts",
    may: ["core/domain", "core/ports", "core/usecases"]
  },
  { room: "core/webhook.ts", path: "packages/core/src/webhook.ts", may: ["node:crypto"] },

  { room: "mcp", path: "packages/mcp/src/", may: ["effect", "@modelcontextprotocol/*", "@sov/core", "mcp"] },
  { room: "http", path: "packages/http/src/", may: ["effect", "effect/*", "@sov/core", "@sov/mcp", "http"] },

  // What `sov --help` loads: commander and nothing that takes time. Commands are reached by import().
  ...["main.ts", "tree.ts", "tree/", "exitCodes.ts"].map((file) => ({
    room: file === "main.ts" ? "cli/main.ts" : "cli/eager",
    path: `packages/cli/src/${file}`,
    may: ["commander", "node:*", "cli/eager"],
    lazily: [
      "effect",
      "effect/*",
      "@sov/core",
      "@sov/core/webhook",
      ...file === "main.ts" ? ["@sov/core/*", "cli/runtime.ts"] : [],
      "cli"
    ]
  })),
  {
    room: "cli/runtime.ts",
    path: "packages/cli/src/runtime.ts",
    may: ["effect", "effect/*", "@effect/*", "node:*", "@sov/core", "@sov/core/*", "cli/eager", "cli"]
  },
  {
    room: "cli",
    path: "packages/cli/src/",
    may: [
      "commander",
      "effect",
      "effect/*",
      "node:*",
      "@sov/core",
      "@sov/core/webhook",
      "cli",
      "cli/eager",
      "cli/runtime.ts"
    ]
  },

  // Tests reach the product by package name, as its users do. Nobody is allowed to import `test`.
  { room: "test", path: "test/", may: ["*", "test"] }
]

const segments = (file) => file.replaceAll("\\", "/")

/** Path below the checkout: everything from the last `packages/` or `test/` folder that roots a room. */
const houseFile = (file) => {
  const at = /(?:^|\/)((?:packages\/[^/]+\/src|test)\/.*)$/.exec(segments(file))
  return at?.[1]
}

const roomOf = (path) =>
  path === undefined ? undefined : ROOMS.find((room) => room.path.endsWith("/") ? path.startsWith(room.path) : path === room.path)

const matches = (entry, target) =>
  entry === target || (entry.endsWith("*") && target.startsWith(entry.slice(0, -1)))

const allows = (list, target) => list.some((entry) => matches(entry, target))
