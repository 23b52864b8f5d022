/** Files of captured answers, as people and spreadsheets write them, and as nobody should. */
import { readCapturedFile } from "@sov/core"
import { describe, expect, it } from "vitest"

const record = {
  platform: "assistant_a",
  question: "best anvil?",
  text: "Acme, \"the\" anvil.\nAnd Globex.",
  captured_at: "2026-11-20T09:00:00Z",
  captured_by: "Ada",
  account: "logged out"
}
const header = Object.keys(record).join(",")
const csvOf = (one: object) => Object.values(one).map((cell) => `"${String(cell).replaceAll("\"", "\"\"")}"`).join(",")
const read = (text: string | Uint8Array) => readCapturedFile(typeof text === "string" ? Buffer.from(text) : text)

describe("a file of captured answers", () => {
  it.each([
    ["CSV", `${header}\n${csvOf(record)}\n`, 2],
    ["CSV with a byte order mark and CRLF", `\uFEFF${header}\r\n${csvOf(record)}\r\n`, 2],
    ["CSV in UTF-16", Buffer.from(`\uFEFF${header}\n${csvOf(record)}\n`, "utf16le"), 2],
    ["CSV with its columns in another order, and one more", `note,${header}\n1,${csvOf(record)}\n`, 2],
    ["NDJSON", `${JSON.stringify(record)}\n\n`, 1]
  ])("a file of captured answers is read as %s", (_, text, line) => {
    expect(read(text)).toEqual({ answers: [{ ...record, line }], refused: [] })
  })

  it.each([
    ["another platform", { platform: "ChatGPT" }, /must be one of assistant_a/],
    ["an empty text", { text: "  " }, /1–200,000 characters/],
    ["a text that is too long", { text: "a".repeat(200_001) }, /1–200,000|longer than/],
    ["a NUL character", { text: "Acme\0" }, /1–200,000/],
    ["a time without a zone", { captured_at: "2026-11-20 09:00" }, /with its zone/],
    ["no person", { captured_by: "" }, /captured_by/],
    ["an escape in the name", { captured_by: "Ada\u001b[31m" }, /captured_by/],
    ["no question", { question: "" }, /question/]
  ])("a faulty file is refused line by line: %s", (_, member, reason) => {
    for (
      const text of [
        `${header}\n${csvOf({ ...record, ...member })}\n${csvOf(record)}\n`,
        [
          JSON.stringify({ ...record, ...member }),
          JSON.stringify(record)
        ].join("\n")
      ]
    ) {
      const { answers, refused } = read(text)
      expect([answers.length, refused.length]).toEqual([1, 1])
      expect(refused[0]!.reason).toMatch(reason)
      expect(refused[0]!.reason).not.toContain("\n")
    }
  })

  it("the error says what is missing in a file, and unreadable data is refused", () => {
    expect(read("question,text\na,b\n").refused[0]!.reason).toContain("lacks the columns platform, captured_at")
    for (const text of ["", "\n", "{", "{}", "[1]", "{\"__proto__\":1}", "\u0000\u0001", "a,\"b"]) {
      expect(read(text).answers, JSON.stringify(text)).toEqual([])
    }
  })
})
