/**
 * docs/dashboard-commands.md lists, for every command on an organization, its page or form in the dashboard or a reason
 * why it has none, and for every promise about the account its page and its test.
 */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { routes } from "../../../packages/http/src/dashboard/routes.ts"

const root = join(import.meta.dirname, "../../..")
const page = readFileSync(join(root, "docs/dashboard-commands.md"), "utf8")

interface Described {
  readonly path: string
  readonly examples: ReadonlyArray<string>
  readonly commands: ReadonlyArray<Described>
}

/** Commands that do something: the leaves of the tree, and parent commands that have their own examples. */
const verbsOf = ({ commands, examples, path }: Described): ReadonlyArray<string> => [
  ...commands.length === 0 || examples.length > 0 ? [path.replace(/^sov /, "")] : [],
  ...commands.flatMap(verbsOf)
]

const help = execFileSync(process.execPath, [join(root, "packages/cli/src/main.ts"), "help", "--json"], {
  encoding: "utf8"
})
const verbs = verbsOf(JSON.parse(help) as Described)

const rows = [...page.matchAll(/^\| `([^`]+)` +\| (.+?) +\|$/gm)].map(([, verb, place]) => ({
  verb: verb!,
  place: place!
}))
const elsewhere = [...page.slice(page.indexOf("## For the installation")).matchAll(/`([^`]+)`/g)].map(([, verb]) =>
  verb!
)

const served = new Set(routes.map(({ method, path }) => `${method} ${path.replace(/^\/o\/:slug(?=\/|$)/, "") || "/"}`))

/** The routes that a cell names, such as `GET /scans`. */
const addressesIn = (place: string): ReadonlyArray<string> =>
  /^`(?:GET|POST) /.test(place) ? [...place.matchAll(/`((?:GET|POST) [^`]+)`/g)].map(([, address]) => address!) : []

describe("the page's list of commands", () => {
  it("the list contains every command exactly once, and no unknown command", () => {
    const listed = [...rows.map(({ verb }) => verb), ...elsewhere]
    expect(listed.toSorted()).toEqual([...new Set(listed)].toSorted())
    expect(listed.toSorted()).toEqual(verbs.toSorted())
    expect(rows.length).toBeGreaterThan(60)
  })

  it.each(rows)(
    "the routes that the page names for `$verb` exist, or a sentence explains their absence: $place",
    ({ place }) => {
      const addresses = addressesIn(place)
      for (const address of addresses) expect([address, served.has(address)]).toEqual([address, true])
      // A command without a route has a sentence with the reason
      if (addresses.length === 0) expect(place).toMatch(/^[A-Z].{15,}\.$/)
    }
  )
})

/** The page's rows of promises, in the form `| sentence | addresses | file: name of a test |`. */
const promises = [
  ...page.slice(page.indexOf("## What the account settings promise"), page.indexOf("## For the installation"))
    .matchAll(/^\| ([A-Z].+?) +\| (`(?:GET|POST) .+?) +\| ([\w.]+): (.+?) +\|$/gm)
]
  .map(([, promise, place, file, name]) => ({ promise: promise!, place: place!, file: file!, name: name! }))

describe("the list of promises", () => {
  it("every promise on the page is parsed", () => {
    expect(promises.length).toBeGreaterThan(10)
  })

  it.each(promises)("$promise", ({ file, name, place }) => {
    const addresses = addressesIn(place)
    expect(addresses.length).toBeGreaterThan(0)
    for (const address of addresses) expect([address, served.has(address)]).toEqual([address, true])
    expect(readFileSync(join(import.meta.dirname, `${file}.test.ts`), "utf8")).toContain(`"${name}"`)
  })
})
