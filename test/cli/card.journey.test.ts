// Only with SOV_LONG_TESTS: many runs of the command; usecases/card shows each rule
/** The business card at the terminal: errors that name field and form, files, organizations, hostile text. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { sov, sovInit, sovJson, workspace } from "../support/sov.ts"

interface Shown {
  readonly trust_score: number
  readonly hash: string
  readonly fields: ReadonlyArray<{ readonly field: string; readonly value: unknown }>
}

const hostile = {
  "@context": "https://schema.org",
  "@type": "Organization",
  name: "</script><script>alert(1)</script>",
  description: "one\r\ntwo \"quoted\" =1+1",
  slogan: "=HYPERLINK(1)",
  founder: [{ "@type": "Person", name: "<img src=x onerror=alert(1)>", jobTitle: "a; b" }],
  openingHours: "\u001b]0;owned\u0007Mo\u202e"
}

it("a business card can be entered, checked, moved and replaced", async () => {
  const cwd = workspace()
  const run = (...args: ReadonlyArray<string>) => sov(cwd, ["card", ...args])
  const write = (file: string, document: unknown) => writeFileSync(join(cwd, file), JSON.stringify(document))
  write("acme.jsonld", hostile)
  write("bad.jsonld", { ...hostile, telephone: "\u001b[2J123", name: "A\u0000" })
  await sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil?"])

  const refused: ReadonlyArray<readonly [args: ReadonlyArray<string>, says: RegExp]> = [
    [
      ["set", "telefone", "+49 30 901820"],
      /error: a business card has no field "telefone"; did you mean telephone\?\n$/
    ],
    [["set", "telephone", "030 901820"], /error: telephone "030 901820": must be a phone number with its country code/],
    [["set", "email"], /error: email needs a value: an e-mail address such as .*\nhint: --clear empties the field\n$/],
    [["import", "bad.jsonld"], /error: name "A\\u0000": must not contain the invisible character U\+0000; telephone "/]
  ]
  for (const [args, says] of refused) {
    const { code, stderr, stdout } = await run(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toMatch(says)
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
  }

  const imported = await run("import", "acme.jsonld")
  expect(imported).toMatchObject({ code: 0 })
  expect(imported.stdout).toMatch(/^slogan +set +=HYPERLINK\(1\) +imported from acme\.jsonld$/m)
  expect(imported.stderr).toContain("Ignored, as a card has no place for it: openingHours")
  const shown = await run("show")
  expect(shown.stdout).toContain("one two \"quoted\" =1+1")
  expect(shown.stdout).toContain("<img src=x onerror=alert(1)>; job_title=a\\; b")
  const csv = await run("history", "-o", "csv")
  expect(csv.stdout).toContain(",'=HYPERLINK(1),")

  const html = await run("export", "--html")
  expect(html.stdout.match(/<[^>]*>/g)).toEqual(["<script type=\"application/ld+json\">", "</script>"])
  const exported = () => run("export", "--out", "card.jsonld")
  expect(await exported()).toMatchObject({ code: 0, stdout: "" })
  expect(await exported()).toMatchObject({ code: 8 })
  expect(readFileSync(join(cwd, "card.jsonld"), "utf8")).toContain("imported from acme.jsonld")

  await sovJson(cwd, ["org", "create", "Other"])
  const other = ["--org", "other"]
  const moved = await sovJson<{ changes: ReadonlyArray<unknown>; ignored: ReadonlyArray<unknown> }>(
    cwd,
    ["card", "import", "card.jsonld", ...other]
  )
  expect(moved).toMatchObject({ dry_run: false, ignored: [] })
  const [here, there] = [
    await sovJson<Shown>(cwd, ["card", "show", "--org", "acme"]),
    await sovJson<Shown>(cwd, ["card", "show", ...other])
  ]
  expect(there).toEqual(here)
  expect(there.fields).toHaveLength(4)

  write("less.jsonld", { "@context": "https://schema.org", "@type": "Organization", name: "Acme" })
  const asked = await run("import", "less.jsonld", "--replace", ...other)
  expect(asked).toMatchObject({ code: 2, stdout: "" })
  expect(asked.stderr).toContain("Clear 3 fields that less.jsonld does not have: ")
  expect(await sovJson<Shown>(cwd, ["card", "show", ...other])).toEqual(there)
  expect(await run("import", "less.jsonld", "--replace", "--yes", ...other)).toMatchObject({ code: 0 })
  expect((await sovJson<Shown>(cwd, ["card", "show", ...other])).fields.map(({ value }) => value)).toEqual(["Acme"])
})
