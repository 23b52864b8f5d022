/** What the terminal says in passing: the command as it can be typed, and numbers with their nouns. */
import { NoCompletedScan, NotFound, OrganizationNotEmpty } from "@sov/core"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { importText, readImportManifest } from "../../packages/cli/src/commands/archive/import.ts"
import { describeError } from "../../packages/cli/src/describeError.ts"
import { commandName, commandNames, nameCommands } from "../../packages/cli/src/output/commandName.ts"
import { makeProgram } from "../../packages/cli/src/tree.ts"
import { describeCommand, flattenCommands } from "../../packages/cli/src/tree/describe.ts"
import { workspace } from "../support/sov.ts"

it("hints write commands in the form in which the shell finds them", () => {
  const bin = join(workspace(), "bin")
  const own = join(workspace(), "node_modules/.bin")
  for (const dir of [bin, own]) {
    mkdirSync(dir, { recursive: true })
    writeFileSync(join(dir, "sov"), "")
  }
  const nothing = workspace()
  expect(commandName({})).toBe("npx sov")
  expect(commandName({ PATH: `${own}:${nothing}` })).toBe("npx sov")
  expect(commandName({ PATH: `${own}:${bin}:${nothing}` })).toBe("sov")
  expect(commandName({ PATH: `${own}:${bin}`, npm_execpath: "/usr/lib/npm/bin/npm-cli.js" })).toBe("npx sov")
})

const npxCache = "file:///home/jane/.npm/_npx/1f2e/node_modules/@sov/cli/dist/output/commandName.js"
const project = "file:///srv/app/node_modules/@sov/cli/dist/output/commandName.js"

it("hints name the scoped package under npx, because the package `sov` belongs to somebody else", () => {
  expect(commandName({}, npxCache)).toBe("npx @sov/cli")
  expect(commandName({}, project)).toBe("npx sov")
})

it("hints know every command of the tree", async () => {
  const { commands } = await makeProgram([])
  expect(commandNames.toSorted()).toEqual(commands.map((command) => command.name()).toSorted())
})

const paths = flattenCommands(describeCommand(await makeProgram())).map(({ path }) => path)

it.each(NotFound.fields.what.literals)("the hint for an unknown %s names a command of the tree", (what) => {
  const { hint } = describeError(new NotFound({ what, id: "x" }))
  expect(paths).toContain(/^(sov .*) shows what there is$/.exec(hint!)?.[1])
})

it("the hint for captured answers says how to add the first ones", () => {
  expect(describeError(new NotFound({ what: "view", id: "\"captured\"" }))).toMatchObject({
    message: "there are no answers captured in apps yet",
    hint: "sov archive import --surface app FILE adds them"
  })
})

it.each([
  [null, "no scan has completed yet", "sov scan runs one"],
  ["germany", "no scan of the view \"germany\" has completed yet", "sov scan --view germany runs one"],
  ["my town", "no scan of the view \"my town\" has completed yet", "sov scan --view \"my town\" runs one"]
])("a share of the view %s without a scan names the scan that is missing", (view, message, hint) => {
  expect(describeError(NoCompletedScan.of(view))).toMatchObject({ message, hint })
})

it("an import of answers captured in an app without its option names the option", () => {
  const dir = workspace()
  const write = (name: string, text: string) => {
    writeFileSync(join(dir, name), text)
    return join(dir, name)
  }
  const csv = write("cap.csv", "platform;question;text;captured_at;captured_by;account\n")
  const ndjson = write("cap.ndjson", JSON.stringify({ platform: "assistant_a", captured_at: "2026-11-20T09:00:00Z" }))
  for (const file of [csv, ndjson]) {
    expect(() => readImportManifest(file)).toThrow(expect.objectContaining({
      code: "invalid-usage",
      hint: "add --surface app"
    }))
  }
  const other = write("other.ndjson", "{}\n")
  expect(() => readImportManifest(other)).toThrow(expect.objectContaining({
    code: "no-manifest",
    hint: "keep it beside other.ndjson: sov archive export wrote both"
  }))
  expect(() => readImportManifest(join(dir, "absent"))).toThrow(expect.objectContaining({ code: "no-manifest" }))
})

it("hints show commands as they can be typed in a package, and do not change those of a checkout", () => {
  const hint =
    "`sov init` makes one here, `sov demo` shows one; a sov server, sov serve; sov-x init, @sov/cli init, sov servers"
  expect(nameCommands(hint, {}, npxCache)).toBe(
    "`npx @sov/cli init` makes one here, `npx @sov/cli demo` shows one; a sov server, npx @sov/cli serve; " +
      "sov-x init, @sov/cli init, sov servers"
  )
  expect(nameCommands("npx sov score", {}, project)).toBe("npx sov score")
  expect(nameCommands("sov score", {}, project)).toBe("npx sov score")
  expect(nameCommands(hint, {}, "file:///srv/sov/packages/cli/src/output/commandName.ts")).toBe(hint)
})

it("hints in a checkout name the wrapper that started the command, and the local file of the manual", () => {
  const checkout = "file:///opt/sov/0.1.0/packages/cli/src/output/commandName.ts"
  expect(nameCommands("sov alert test; docs/deploy.md", { SOV_COMMAND: "sov-admin" }, checkout))
    .toBe("sov-admin alert test; docs/deploy.md")
})

it("hints of a package name a page of the manual by its address, because the package does not contain the file", () => {
  const hint = "docs/platforms.md has present names (docs/business-card.md); see https://x.example/docs/a.md"
  const pages = "https://github.com/sov-tracker/sov/blob/main/docs"
  expect(nameCommands(hint, {}, project)).toBe(
    `${pages}/platforms.md has present names (${pages}/business-card.md); see https://x.example/docs/a.md`
  )
  expect(nameCommands(hint, {}, "file:///srv/sov/packages/cli/src/output/commandName.ts")).toBe(hint)
})

it("the message of an import states how much was imported", () => {
  expect(importText({ answers: 2, scans: 1, seals: 1, resealed: 0 }, "Acme"))
    .toBe("Imported 2 answers of 1 scan under 1 seal into Acme")
  expect(importText({ answers: 1, scans: 2, seals: 0, resealed: 1 }, "Acme"))
    .toBe(
      "Imported 1 answer of 2 scans under 0 seals into Acme\n1 scan had not ended when exported: cancelled, and sealed as far as it came"
    )
})

it.each([[true, "sov rescore"], [false, "sov org create"]])(
  "an organization that is not empty gets a next step that depends on unscored answers: %s",
  (unscored, next) => {
    expect(describeError(new OrganizationNotEmpty({ name: "Acme", unscored })))
      .toMatchObject({ code: "organization-not-empty", hint: expect.stringContaining(next) })
  }
)
