/** Tests docs/measuring.md: every row of its tables is measured, and the commands on it are run. */
import { measureAnswer } from "@sov/core"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { sov, workspace } from "../support/sov.ts"

const page = readFileSync(new URL("../../docs/measuring.md", import.meta.url), "utf8")

/** Cells of a table row; for a cell in backticks, the text between them. */
const cells = (line: string): ReadonlyArray<string> =>
  line.slice(1, -1).split(/(?<!\\)\|/).map((cell) => {
    const text = cell.trim()
    const literal = /^(`+)(.*)\1$/.exec(text)
    return literal === null ? text : literal[2]!.replace(/^ (.*) $/, "$1").replaceAll("⏎", "\n")
  })

const lines = page.split("\n")
/** The rows of the tables that say how often a text counts, with their cells by column name. */
const examples = lines.flatMap((line, index): ReadonlyArray<Readonly<Record<string, string>>> => {
  if (!/^\|[ :|-]+\|$/.test(line)) return []
  const header = cells(lines[index - 1]!)
  const end = lines.findIndex((after, at) => at > index && !after.startsWith("|"))
  return header.includes("counts")
    ? lines.slice(index + 1, end).map((row) =>
      Object.fromEntries(cells(row).map((cell, column) => [header[column]!, cell]))
    )
    : []
})

const list = (cell: string | undefined): ReadonlyArray<string> => cell === undefined || cell === "" ? [] : [cell]

describe("what counts as a mention", () => {
  it("the page has many examples, at least one for each rule", () => {
    expect(examples.length).toBeGreaterThanOrEqual(35)
    for (const rule of [...Array.from({ length: 15 }, (_, index) => index + 1), 17, 18]) {
      expect(page).toMatch(new RegExp(`\\(.*\\bM${rule}\\b.*\\)`))
    }
  })

  it.each(examples)("the name $brand counts in the text as the page says: $text", (row) => {
    const { brand = "Acme", competitors, context, excludes, question = "", text } = row
    const named = (name: string, domains: ReadonlyArray<string> = []) => ({ name, aliases: [], domains })
    const { count, position } = measureAnswer({
      text: text!,
      brand: {
        ...named(brand, brand === "Acme" ? ["acme.com"] : []),
        context: list(context).flatMap((words) => words.split(", "))
      },
      competitors: list(competitors).map((name) => named(name)),
      excludes: list(excludes),
      ...(question === "" ? {} : { prompt: question })
    })
    expect(String(count)).toBe(row["counts"])
    if (row["position"] !== undefined) expect(String(position)).toBe(row["position"])
  })

  it("the commands on the page work", async () => {
    const cwd = workspace()
    writeFileSync(join(cwd, "answer.md"), "Globex, then **Acme**.")
    const commands = [...page.matchAll(/^```sh\n(.*?)^```/gms)].flatMap((block) => block[1]!.trim().split("\n"))
      .filter((line) => /^sov (?:measure|keyword test) /.test(line))
    expect(commands).toHaveLength(2)
    for (const line of commands) {
      const args = [...line.slice("sov ".length).matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!)
      const ran = await sov(cwd, args)
      expect({ line, ...ran }).toMatchObject({ line, code: 0, stderr: "" })
      expect(ran.stdout).toContain("Acme is named 1×")
    }
  })
})
