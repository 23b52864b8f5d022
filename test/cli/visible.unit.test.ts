/** Text from outside on a terminal, in every form of output; through a pipe it stays as it is. */
import { Effect } from "effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import { CliError } from "../../packages/cli/src/CliError.ts"
import { exitCodes } from "../../packages/cli/src/exitCodes.ts"
import { Output } from "../../packages/cli/src/output/Output.ts"
import { visible } from "../../packages/cli/src/output/visible.ts"
import { writeOut } from "../../packages/cli/src/output/writeOut.ts"

/**
 * A new title of the window, a clipboard, a hidden line, bells, C1, marks of direction, a line that is written over.
 */
const hostile = [
  "\u001b]0;title\u0007",
  "\u001b]52;c;ZXZpbA==\u0007",
  "\u001b[8mhidden",
  "\u0008\u0000\u007f",
  "\u009b2J",
  "\u202egnp.exe",
  "\u2066\u2069\u200e\u200f\u061c",
  "safe\rpwned"
].join(" ")
// oxlint-disable-next-line no-control-regex -- control characters are what must not be there
const acting =
  /[\u0000-\u0008\u000b-\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\r(?!\n)/

const options = { dataDir: ".sov", config: "sov.config.json", color: "always" } as const
const formats = ["table", "json", "ndjson", "csv"] as const

/** What reaches stdout, which is a terminal or a pipe. */
const printed = (isTTY: boolean, print: () => void): string => {
  let text = ""
  vi.spyOn(process.stdout, "write").mockImplementation((data) => {
    text += String(data)
    return true
  })
  vi.spyOn(process.stderr, "write").mockImplementation((data) => {
    text += String(data)
    return true
  })
  for (const stream of [process.stdout, process.stderr]) {
    Object.defineProperty(stream, "isTTY", { value: isTTY, configurable: true })
  }
  print()
  return text
}

const before = { out: process.stdout.isTTY, err: process.stderr.isTTY }
afterEach(() => {
  vi.restoreAllMocks()
  Object.defineProperty(process.stdout, "isTTY", { value: before.out, configurable: true })
  Object.defineProperty(process.stderr, "isTTY", { value: before.err, configurable: true })
})

const list = (output: typeof formats[number]) => () =>
  new Output({ ...options, output }).list([{ text: hostile }], [{ header: "TEXT", cell: (row) => row.text }], {
    empty: "none"
  })
const result = (output: typeof formats[number]) => () =>
  new Output({ ...options, output }).result({ text: hostile }, () => `Tracking: ${hostile}`)

describe.each(formats)("as %s", (format) => {
  it.each([["a list", list(format)], ["a result", result(format)]])(
    "%s escapes control codes on a terminal",
    (_, print) => {
      const text = printed(true, print)
      expect(text.replaceAll("\u001b[1mTEXT\u001b[22m", "")).not.toMatch(acting)
      expect(text).toContain("\\u202egnp.exe")
      expect(text).toContain("\\u001b")
    }
  )

  it.each([["a list", list(format)], ["a result", result(format)]])("%s is unchanged through a pipe", (_, print) => {
    const text = printed(false, print)
    const exact = format === "json" || format === "ndjson" ? JSON.stringify(hostile).slice(1, -1) : hostile
    expect(format === "table" ? text.replaceAll(/\s/g, "") : text)
      .toContain(format === "table" ? exact.replaceAll(/\s/g, "") : exact)
  })
})

it.each(["json", "ndjson"] as const)("%s can still be parsed on a terminal", (format) => {
  expect(JSON.parse(printed(true, result(format)))).toEqual({ text: hostile })
})

it.each([["text", hostile], ["bytes", Buffer.from(hostile)]])(
  "%s shows its control codes on a terminal if it is written as data",
  (_, data) => {
    expect(printed(true, () => Effect.runSync(writeOut(data)))).not.toMatch(acting)
    expect(printed(false, () => Effect.runSync(writeOut(data)))).toBe(String(data))
  }
)

it.each([[true], [false]])(
  "an error in JSON escapes characters that reorder text, also on a terminal (%s)",
  (isTTY) => {
    const error = new CliError("not-found", exitCodes.notFound, `no competitor ${hostile}`)
    const text = printed(isTTY, () => new Output({ ...options, output: "json" }).error(error))
    expect(text).not.toMatch(acting)
    expect(JSON.parse(text)).toMatchObject({ error: { message: `no competitor ${hostile}` } })
  }
)

it("a note escapes control codes and keeps sov's own styles", () => {
  const out = new Output(options)
  const text = printed(true, () => out.note(`${out.style("bold", "Added")} ${hostile}`))
  expect(text).toContain("\u001b[1mAdded\u001b[22m")
  expect(text).toContain("\\u001b[8mhidden")
})

it("tabs, line breaks, emoji and right-to-left letters stay unchanged", () => {
  const text = "a\tb\nc\r\n👩‍👩‍👧 שלום\u200d"
  expect(visible(text)).toBe(text)
})
