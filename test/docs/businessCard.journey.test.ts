// Only with SOV_LONG_TESTS: a page of the documentation, command by command; cli/card runs the same commands
/** Tests docs/business-card.md: its table of fields, each row of the worked example, and its commands. */
import {
  type BusinessCard,
  businessCardReport,
  cardFieldNames,
  cardFields,
  cardGroupRules,
  cardGroups,
  cardHash,
  roundHalfUp
} from "@sov/core"
import { cardForm, readCardJsonLd } from "@sov/core/business-card"
import { Result } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { sov, sovInit, workspace } from "../support/sov.ts"

const page = readFileSync(new URL("../../docs/business-card.md", import.meta.url), "utf8")
const block = (language: string): string => new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "ms").exec(page)![1]!
/** Rows of the table whose header begins with this text, as cells. */
const rowsUnder = (header: string): ReadonlyArray<ReadonlyArray<string>> => {
  const lines = page.split("\n")
  const start = lines.findIndex((line) => line.replace(/\s+/g, " ").startsWith(header)) + 2
  const end = lines.findIndex((line, n) => n > start && !line.startsWith("|"))
  return lines.slice(start, end).map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()))
}
const fixed = (value: number) => roundHalfUp(value, 2).toFixed(2)

const day0 = new Date("2026-01-01T00:00:00.000Z")
const dayMs = 86_400_000
const { facts } = Result.getOrThrow(readCardJsonLd(block("json")))
const card: BusinessCard = new Map(
  facts.map(({ field, value }) => [field, { value, source: "https://acme.example/", updatedAt: day0 }])
)

it("the page lists every card field with its group and values, and the rules for groups", () => {
  expect(rowsUnder("| field ")).toEqual(cardFieldNames.map((name) => {
    const { expected, group, many } = cardFields[name]
    return [`\`${name}\``, group, expected ? "yes" : "", `${many ? "a list, each: " : ""}${cardForm(name)}`]
  }))
  expect(
    rowsUnder("| group | weight |").map(([group, weight, limit]) => [group, weight, /(\d+) days/.exec(limit!)?.[1]])
  )
    .toEqual(cardGroups.map((group) => [
      group,
      `${cardGroupRules[group].weight} %`,
      String(cardGroupRules[group].limitDays)
    ]))
})

it("the page states the completeness, freshness and weight of each group in the example", () => {
  const { groups } = businessCardReport(card, null, day0).trust
  expect(rowsUnder("| group | filled")).toEqual(groups.map((one) => {
    const expected = cardFieldNames.filter((name) => cardFields[name].group === one.group && cardFields[name].expected)
    return [
      one.group,
      `${expected.length - one.missing.length} of ${expected.length}`,
      fixed(one.completeness),
      one.freshness === "missing" ? "missing, 0" : "fresh, 1",
      `${one.weight} %`
    ]
  }))
})

it("the page states how the trust score of the example changes", () => {
  const attestation = { by: "Ada Example, CEO", at: day0, cardHash: cardHash(card) }
  const rows = rowsUnder("| what happens ")
  expect(rows.length).toBeGreaterThanOrEqual(9)
  for (const [n, [what, days, freshness, factor, score]] of rows.entries()) {
    const at = new Date(day0.getTime() + Number(days) * dayMs)
    const edited = what!.startsWith("a slogan")
      ? new Map(card).set("slogan", { value: ["Harder."], source: "brand handbook", updatedAt: at })
      : card
    const { trust } = businessCardReport(edited, n === 0 ? null : attestation, at)
    expect([what, fixed(trust.freshness), trust.attestation.toFixed(1), String(trust.score)])
      .toEqual([what, freshness, factor, score])
    expect(fixed(trust.completeness)).toBe("0.67")
    // Every row describes a change: on the day before, the state was different
    const before = businessCardReport(card, attestation, new Date(at.getTime() - dayMs)).trust
    if (Number(days) > 0 && edited === card) expect(fixed(before.freshness)).not.toBe(freshness)
  }
  expect(rows[0]!.at(-1)).toBe(/trust score of \*\*(\d+)\*\*/.exec(page)![1])
})

it("the commands on the page work", async () => {
  const cwd = workspace()
  writeFileSync(join(cwd, "acme.jsonld"), block("json"))
  await sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil?"])
  const commands = block("sh").trim().split("\n")
  const printed = new Map<string, string>()
  for (const line of commands) {
    const args = [...line.slice("sov ".length).matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!)
    const ran = await sov(cwd, args)
    expect({ line, code: ran.code, stderr: ran.stderr }).toMatchObject({ line, code: 0 })
    printed.set(line, ran.stdout + ran.stderr)
  }
  const said = (n: number) => printed.get(commands[n]!)
  expect(said(0)).toContain("Nothing was changed")
  expect(said(1)).toContain("Trust score 52 of 100")
  expect(said(2)).toMatch(
    /completeness 0\.67 × \(0\.7 \+ 0\.3 × freshness 0\.90\) × attestation 0\.8\nNever attested\n/
  )
  expect(said(3)).toContain("trust score 65 of 100")
  expect(said(4)).toContain("the attestation is outdated")
  expect(said(5)).toMatch(/slogan\tset\tHarder\.\t\tbrand handbook/)
  expect(said(6)).toMatch(/^<script type="application\/ld\+json">\n\{.*"name": "Acme"/s)
  expect(said(6)).not.toContain("brand handbook")
})
