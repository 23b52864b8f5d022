import { globSync, readFileSync } from "node:fs"
import { join, posix, relative, sep } from "node:path"
import { bounds } from "./bounds.js"
import { wording } from "./wording.js"

/**
 * The project's import rules as a linter plugin.
 *
 * `sov/rooms` contains the one table of allowed imports. A source file belongs to the first room whose path contains
 * it. An import is identified by the room that it reaches (relative paths) or by its package name, and must be on the
 * list. A room marked `throughUseCases` may not use the services that core's ports declare: it must call use cases.
 * `sov/ambient` forbids clock, randomness and environment in core: they are services there, so that tests can control
 * them. `sov/bounds` (bounds.js) requires a name for each bound in an entry. `sov/reasons` requires a reason for every
 * suppressed finding (`-- why`). `sov/wording` keeps comments, strings and test titles in plain English: wording.js
 * lists the phrases.
 */

/**
 * Modules of `effect` that contain only data and pure functions. A room marked `effectData` may import no other modules
 * of it.
 */
const DATA = new Set(
  ("Array BigDecimal Brand Chunk Cron Data DateTime Duration Encoding Equal Equivalence Filter flow " +
    "Function Hash HashMap HashSet identity Iterable Match Number Option Order pipe Predicate Record " +
    "Result Schema SchemaGetter SchemaIssue SchemaTransformation String Struct Tuple Types").split(" ")
)

/** Entry points of core by capability, such as `@sov/core/scanning`. Together they export what `@sov/core` does. */
const capabilities = Object.entries(
  JSON.parse(readFileSync(join(import.meta.dirname, "../../packages/core/package.json"), "utf8")).exports
).filter(([, file]) => file.startsWith("./src/capabilities/")).map(([entry]) => posix.join("@sov/core", entry))

const embedded = {
  may: [
    "effect",
    "effect/*",
    "@effect/*",
    "@electric-sql/pglite",
    "@electric-sql/pglite/*",
    "node:*",
    "core/adapters/embedded/index.ts",
    "core/adapters/embedded"
  ],
  ambient: "the owner process and its client are plain Node below Effect: they wait for each other before it is loaded"
}

/**
 * Which room may import which. A path ending in `/` is a folder, any other path is a file; a file belongs to the first
 * room that contains it. `may` lists rooms and packages (`x/*` = every entry below x). `lazily` lists what may only be
 * reached by `import()` and `import type`, so that it costs nothing at start. `throughUseCases` forbids the services of
 * core's ports, so that every program offers the same actions with the same rules. `ambient` says why a room of core
 * may use clock, randomness and environment directly.
 */
export const ROOMS = [
  // Lists of names, which the command tree loads at start.
  {
    room: "core/names",
    paths: [
      "packages/core/src/names.ts",
      "packages/core/src/domain/alerts/alertRuleNames.ts",
      "packages/core/src/domain/platforms/probeQuestion.ts",
      "packages/core/src/domain/webhooks/eventNames.ts",
      "packages/core/src/domain/webhooks/webhookFormats.ts"
    ],
    may: ["core/names"]
  },
  {
    room: "core/domain",
    paths: ["packages/core/src/domain/"],
    // The tables of countries, phone numbers and public suffixes are also data and pure functions.
    may: [
      "effect",
      "node:crypto",
      "core/domain",
      "core/names",
      "i18n-iso-countries/index.js",
      "i18n-iso-countries/langs/en.json",
      "libphonenumber-js/min",
      "tldts"
    ],
    effectData: true
  },
  // Everything that clients see; rules must not depend on it.
  {
    room: "core/json",
    paths: ["packages/core/src/json/"],
    may: ["core/domain", "core/json"]
  },
  {
    room: "core/ports",
    paths: ["packages/core/src/ports/"],
    may: ["effect", "core/domain", "core/ports"]
  },
  {
    room: "core/usecases",
    paths: ["packages/core/src/usecases/"],
    may: ["effect", "effect/crypto", "core/domain", "core/ports", "core/usecases", "core/webhook.ts"]
  },
  {
    room: "core/adapters/embedded/index.ts",
    paths: ["packages/core/src/adapters/embedded/index.ts"],
    ...embedded
  },
  {
    room: "core/adapters/embedded",
    paths: ["packages/core/src/adapters/embedded/"],
    ...embedded
  },
  // How a server proves its identity: certificates in files, and addresses of this machine.
  {
    room: "core/adapters/postgres",
    paths: ["packages/core/src/adapters/postgres/"],
    may: ("effect effect/* @effect/* node:crypto node:fs node:net node:tls core/domain core/ports " +
      "core/adapters/postgres core/adapters/embedded/index.ts").split(" ")
  },
  {
    room: "core/adapters/outbound",
    paths: ["packages/core/src/adapters/outbound/"],
    may: ["effect", "effect/*", "node:*", "core/domain", "core/ports", "core/adapters/outbound"],
    lazily: ["asn1js", "nodemailer", "pkijs"]
  },
  // Its threads load only the rules.
  {
    room: "core/adapters/threads",
    paths: ["packages/core/src/adapters/threads/"],
    may: ["effect", "node:os", "node:url", "node:worker_threads", "core/domain", "core/ports", "core/adapters/threads"]
  },
  {
    room: "core/testing",
    paths: ["packages/core/src/testing/"],
    may: ["effect", "effect/*", "node:assert/strict", "core/domain", "core/ports", "core/usecases", "core/testing"]
  },
  // The public names of each capability, from all layers
  {
    room: "core/capabilities",
    paths: ["packages/core/src/capabilities/"],
    may: ["core/domain", "core/json", "core/names", "core/ports", "core/usecases"]
  },
  {
    room: "core/index.ts",
    paths: ["packages/core/src/index.ts"],
    may: ["core/capabilities"]
  },
  // What embedding programs use: a home as one layer, or the same as promises.
  {
    room: "core/embed",
    paths: ["packages/core/src/embed/"],
    may: ("effect effect/crypto node:* core/domain core/ports core/usecases core/adapters/postgres " +
      "core/adapters/outbound core/embed").split(" "),
    ambient: "it wires a program: who runs it, and what time its owner says it is"
  },
  {
    room: "core/webhook.ts",
    paths: ["packages/core/src/webhook.ts"],
    may: ["node:crypto"],
    ambient: "receivers verify with it where there is no Effect; the clock is an option"
  },
  {
    room: "core/contract.ts",
    paths: ["packages/core/src/contract.ts"],
    may: ["core/domain"]
  },
  {
    room: "core/businessCard.ts",
    paths: ["packages/core/src/businessCard.ts"],
    may: ["core/domain"]
  },
  {
    room: "mcp",
    paths: ["packages/mcp/src/"],
    may: ("effect effect/http node:crypto node:stream @modelcontextprotocol/* " +
      "@sov/http mcp").split(" ").concat(capabilities),
    throughUseCases: true
  },
  // What clients import; it does not serve requests.
  {
    room: "http/contract",
    paths: ["packages/http/src/contract/"],
    may: ["effect", "effect/http-api", "@sov/core/contract", "http/contract"],
    lazily: capabilities
  },
  // Everyone uses it, so it must not import anything.
  {
    room: "http/client/fetchClient.ts",
    paths: ["fetchClient", "operatorClient", "operatorShapes", "shapes", "transport", "trustShapes"].map((name) =>
      `packages/http/src/client/${name}.ts`
    ),
    may: ["http/client/fetchClient.ts"]
  },
  {
    room: "http/client",
    paths: ["packages/http/src/client/"],
    may: ["effect", "effect/http", "effect/http-api", "http/contract", "http/client/fetchClient.ts"]
  },
  // Pages for people. Routes call use cases; pages and charts are functions of plain data.
  {
    room: "http/dashboard",
    paths: ["packages/http/src/dashboard/"],
    may: ["effect", "effect/http", "node:crypto", "node:fs", "node:zlib", ...capabilities, "http", "http/dashboard"],
    // Loaded with the first sign-in at an issuer; phone numbers and countries are loaded with the first form of the
    // business card
    lazily: ["openid-client", "@sov/core/business-card"],
    throughUseCases: true
  },
  {
    room: "http",
    paths: ["packages/http/src/"],
    may: "effect effect/* @effect/platform-node/* node:* http/contract http/dashboard http".split(" ")
      .concat(capabilities),
    // Loaded with the first ZIP
    lazily: ["yazl"],
    throughUseCases: true
  },
  // What `sov --help` loads: commander, and nothing slow.
  {
    room: "cli/main.ts",
    paths: ["packages/cli/src/main.ts"],
    may: ["commander", "node:*", "cli/eager"],
    lazily: ["effect", "@sov/core/*", "cli/runtime.ts", "cli"]
  },
  {
    room: "cli/eager",
    paths: [
      "packages/cli/src/commandLine.ts",
      "packages/cli/src/tree.ts",
      "packages/cli/src/tree/",
      "packages/cli/src/output/closedPipe.ts",
      "packages/cli/src/settings/directoryConfig.ts",
      "packages/cli/src/settings/envFile.ts",
      "packages/cli/src/settings/environment.ts",
      "packages/cli/src/settings/secretFiles.ts",
      "packages/cli/src/input/unreadable.ts",
      "packages/cli/src/CliError.ts",
      "packages/cli/src/exitCodes.ts",
      "packages/cli/src/version.ts"
    ],
    may: ["commander", "node:*", "@sov/core/names", "cli/eager"],
    lazily: ["effect", ...capabilities, "@sov/core/webhook", "cli"]
  },
  // Besides main.ts, the only place in the command that may use an adapter.
  {
    room: "cli/runtime.ts",
    paths: ["packages/cli/src/runtime.ts", "packages/cli/src/runtime/"],
    may: ["effect", "effect/*", "@effect/*", "node:*", "@sov/core/*", "cli/eager", "cli", "cli/runtime.ts"]
  },
  {
    room: "cli",
    paths: ["packages/cli/src/"],
    may: [
      "commander",
      "hyparquet-writer",
      "effect",
      "effect/*",
      "node:*",
      ...capabilities,
      "@sov/core/business-card",
      "@sov/core/webhook",
      "@sov/http",
      "@sov/http/fetch-client",
      "@sov/http/report",
      "@sov/mcp",
      "@sov/mcp/stdio",
      "cli/eager",
      "cli/runtime.ts",
      "cli"
    ],
    throughUseCases: true
  },
  // Tests import the product by package name, as its users do; no room may import `test`. Only inner parts that no
  // package exports (frames, locks, parsers; all of the command) are imported by path.
  ...["embedded", "outbound", "postgres"].map((adapter) => ({
    room: `test/${adapter}`,
    paths: [`test/${adapter}/`],
    may: ["*", `core/adapters/${adapter}/index.ts`, `core/adapters/${adapter}`, "test", `test/${adapter}`]
  })),
  {
    room: "test/http",
    paths: ["test/http/"],
    may: ["*", "http", "http/dashboard", "test", "test/http"]
  },
  {
    room: "test/cli",
    paths: ["test/cli/"],
    may: ["*", "cli", "cli/eager", "cli/runtime.ts", "test", "test/cli"]
  },
  {
    room: "test",
    paths: ["test/"],
    may: ["*", "test"]
  }
]

const isSource = (file) => /^packages\/[^/]+\/src\//.test(file)

const roomOf = (file) =>
  ROOMS.find(({ paths }) => paths.some((path) => path.endsWith("/") ? file.startsWith(path) : file === path))

const listsPackage = (list, name) =>
  list.some((entry) => entry === name || (entry.endsWith("*") && name.startsWith(entry.slice(0, -1))))

const shown = (list) => list.map((entry) => entry === "*" ? "packages by name" : entry).join(", ")

/** How a port declares a service: as a class, or as a reference with a default. */
const declaration = /^export (?:class (\w+) extends Context\.Service|const (\w+) = Context\.Reference)\b/gm

/** The identity of a process: programs read and set it directly, because no use case would add anything. */
const notAsked = new Set(["ThisProcess"])

/** Names of the services that core's ports declare, for each linted tree. */
const services = new Map()
export const servicesOf = (tree) => {
  if (!services.has(tree)) {
    const files = globSync("packages/core/src/ports/**/*.ts", { cwd: tree })
    const names = files.flatMap((file) =>
      [...readFileSync(join(tree, file), "utf8").matchAll(declaration)]
        .map(([, service, reference]) => service ?? reference)
        .filter((name) => !notAsked.has(name))
    )
    services.set(tree, new Set(names))
  }
  return services.get(tree)
}

/** The module that an import names; undefined if the name is computed. */
const specifierOf = (node) => {
  const source = node.source?.type === "TSLiteralType" ? node.source.literal : node.source
  if (source?.type === "TemplateLiteral" && source.expressions.length === 0) return source.quasis[0].value.cooked
  return typeof source?.value === "string" ? source.value : undefined
}

/** Names imported from the module; `*` if it is imported as a whole. */
const namesOf = (node) => {
  if (node.type === "TSImportType") return [node.qualifier?.name ?? node.qualifier?.left?.name ?? "*"]
  if (!Array.isArray(node.specifiers)) return ["*"]
  return node.specifiers.map(({ imported, local, type }) => {
    if (type === "ImportSpecifier") return imported.name ?? imported.value
    return type === "ExportSpecifier" ? local.name ?? local.value : "*"
  })
}

const rooms = {
  create(context) {
    const here = relative(context.cwd, context.filename).split(sep).join("/")
    const room = roomOf(here)
    if (room === undefined) {
      if (!isSource(here)) return {}
      return {
        Program: (node) => context.report({ node, message: `${here} lies in no room of test/boundaries/rooms.js` })
      }
    }

    const check = (node) => {
      // `export const x = …` and `export { x }` name no module.
      if (node.source === null || node.source === undefined) return
      const specifier = specifierOf(node)
      if (specifier === undefined) {
        if (here.startsWith("test/")) return
        return context.report({ node, message: `${room.room} may not import a computed path: no rule can follow it` })
      }
      const notAtStart = node.type === "ImportExpression" || node.type === "TSImportType" ||
        node.importKind === "type" || node.exportKind === "type"
      const list = notAtStart ? [...room.may, ...room.lazily ?? []] : room.may
      const deny = (target) =>
        context.report({ node, message: `${room.room} may not import ${target} (allowed: ${shown(list)})` })

      if (specifier.startsWith(".")) {
        const file = posix.join(posix.dirname(here), specifier)
        const target = roomOf(file)?.room ?? file
        return list.includes(target) ? undefined : deny(target)
      }
      if (!listsPackage(list, specifier)) return deny(specifier)
      if (room.throughUseCases === true && capabilities.includes(specifier)) {
        const ports = servicesOf(context.cwd)
        for (const name of namesOf(node)) {
          if (name !== "*" && !ports.has(name)) continue
          const what = name === "*" ? `all of ${specifier} at once` : `the service ${name} of a port`
          const message = `${room.room} may not import ${what}: ask a use case (packages/core/src/usecases)`
          context.report({ node, message })
        }
        return
      }
      if (room.effectData !== true || specifier !== "effect") return
      for (const name of namesOf(node)) {
        if (DATA.has(name)) continue
        const message = `${room.room} may not import ${name} of effect (allowed: ${[...DATA].join(", ")})`
        context.report({ node, message })
      }
    }
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check
    }
  }
}

const AMBIENT = new Map([
  ["process.env", "Config"],
  ["Date.now", "Clock"],
  ["performance.now", "Clock"],
  ["Math.random", "Random"],
  ["crypto.randomUUID", "Crypto"],
  ["crypto.getRandomValues", "Crypto"]
])

/** Exports of Node's modules that provide clock, randomness or environment under another name. */
const AMBIENT_EXPORTS = new Map([
  ["node:crypto", new Set(["randomBytes", "randomFill", "randomFillSync", "randomInt", "randomUUID", "webcrypto"])],
  ["node:process", new Set(["env"])],
  ["node:perf_hooks", new Set(["performance"])]
])

const ambient = {
  create(context) {
    const here = relative(context.cwd, context.filename).split(sep).join("/")
    if (!here.startsWith("packages/core/src/") || roomOf(here)?.ambient !== undefined) return {}
    const report = (node, what, service) =>
      context.report({ node, message: `core may not read ${what}: take it from Effect's ${service} service` })
    const date = (node) => {
      if (node.callee.name === "Date" && node.arguments.length === 0) report(node, "the clock by Date()", "Clock")
    }
    return {
      MemberExpression(node) {
        const property = node.computed ? node.property.value : node.property.name
        const name = `${node.object.name}.${property}`
        if (AMBIENT.has(name)) report(node, name, AMBIENT.get(name))
      },
      NewExpression: date,
      CallExpression: date,
      ImportDeclaration(node) {
        const names = AMBIENT_EXPORTS.get(node.source.value)
        if (names === undefined || node.importKind === "type") return
        for (const name of namesOf(node)) {
          if (names.has(name)) {
            report(node, `${name} of ${node.source.value}`, name === "env" ? "Config" : "Crypto or Clock")
          }
        }
      }
    }
  }
}

const DIRECTIVE =
  /^[\s*]*((?:oxlint|eslint)-disable[\w-]*|@effect-diagnostics[\w-]*|@ts-(?:expect-error|ignore|nocheck))/

const reasons = {
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        const directive = DIRECTIVE.exec(comment.value)?.[1]
        if (directive === undefined || /\s-- \S.{8,}/.test(comment.value)) continue
        context.report({ node: comment, message: `${directive} needs its reason: end the comment with "-- why"` })
      }
    }
  })
}

export default { meta: { name: "sov" }, rules: { rooms, ambient, bounds, reasons, wording } }
