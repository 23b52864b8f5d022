/**
 * Files of keywords: what spreadsheets write is read, every other line is refused with its number, and memory stays
 * bounded.
 */
import { keywordCsvHeader, keywordCsvLine, type KeywordFile, makeKeywordFileReader } from "@sov/core"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { propertyRuns } from "../../support/propertyRuns.ts"

/** What a file says that comes in pieces of this many bytes. */
const readBytes = (bytes: Uint8Array, piece = bytes.length): KeywordFile => {
  const reader = makeKeywordFileReader()
  for (let at = 0; at < bytes.length; at += piece) if (!reader.push(bytes.subarray(at, at + piece))) break
  return reader.end()
}
const read = (text: string, piece?: number) => readBytes(Buffer.from(text), piece)
const texts = (file: KeywordFile) => file.keywords.map(({ text }) => text)

describe("a file of keywords", () => {
  it("a file is CSV if its first line names the text, with the delimiters of spreadsheets", () => {
    const expected = [
      { line: 2, text: "best anvil?", tags: ["a", "b c"], status: "paused" },
      { line: 3, text: "say \"hi\", twice", tags: [], status: null }
    ]
    const rows = (d: string) =>
      `TEXT${d}Tags${d}status\r\nbest anvil?${d}"a, b c"${d}Paused\r\n"say ""hi"", twice"${d}${d}\r\n`
    for (const delimiter of [",", ";", "\t"]) expect(read(rows(delimiter)).keywords).toEqual(expected)
    expect(read(`sep=;\r\n${rows(";")}`).keywords.map(({ line }) => line)).toEqual([3, 4])
    expect(read(`\uFEFF${rows(";")}`).keywords).toEqual(expected)
    expect(read("volume,question,Tag\n9,best anvil?,x").keywords).toMatchObject([{ text: "best anvil?", tags: ["x"] }])
    expect(read("volume,question,Tag\n9,best anvil?,x").ignoredColumns).toEqual(["volume"])
  })

  it("any other file is read as a list of lines, whatever they contain", () => {
    const lines = ["What text, exactly?", "\"best\" anvil", "a;b", "=1+1", "5\" anvil"]
    for (const end of ["\n", "\r\n", "\r"]) expect(texts(read(`${lines.join(end)}${end}${end}`))).toEqual(lines)
    expect(read("one\n\n\ntwo").keywords.map(({ line }) => line)).toEqual([1, 4])
  })

  it("a text without quotation marks is refused if its end would be read as tags", () => {
    const reason = "its tags look like the rest of its text: quote the text"
    const refused = [{ line: 2, reason }]
    expect(read("text,tags\nbest anvil, cheap?\nbest anvil,cheap")).toMatchObject({
      keywords: [{ line: 3, text: "best anvil", tags: ["cheap"] }],
      refused
    })
    expect(read("text;tags;status\nbest anvil; cheap?;paused")).toMatchObject({ keywords: [], refused })
    // Nobody writes a tag that ends a sentence, whatever stands before it
    for (const rest of ["cheap one?", "Acme or Beta!", "pricing.", "便宜吗？", "رخيص؟"]) {
      expect(read(`text,tags\nbest anvil,${rest}`)).toMatchObject({ keywords: [], refused })
    }
    expect(read("text,tags\nbest anvil,\"cheap?, x\"").refused).toEqual([{
      line: 2,
      reason: "a tag does not end with a question mark, an exclamation mark or a full stop"
    }])
    // Blanks behind all delimiters mean nothing
    expect(read("text, tags\nbest anvil, cheap\nbest forge, cheap?")).toMatchObject({
      keywords: [{ line: 2, text: "best anvil", tags: ["cheap"] }],
      refused: [{ line: 3, reason }]
    })
    expect(read("text,tags\n\"best anvil, cheap?\",x")).toMatchObject({
      keywords: [{ text: "best anvil, cheap?", tags: ["x"] }],
      refused: []
    })
  })

  it("a file may have quoted cells over several lines, and each refused line is named by its number", () => {
    const { keywords, refused } = read(
      "text,tags\n\"best\nanvil?\",x\n,x\nok,\"a,b\nc\"\n\"open\nnext,y\n\"closed\"z,y\nlast,\n"
    )
    expect(keywords).toMatchObject([
      { line: 2, text: "best anvil?" },
      { line: 5, tags: ["a", "b c"] },
      { line: 10, text: "last" }
    ])
    expect(refused.map(({ line }) => line)).toEqual([4, 7])
    expect(read("text\n\"open\nnext\nlast").refused).toEqual([{ line: 2, reason: "a quotation mark is not closed" }])
    expect(texts(read("text\n\"open\nnext\nlast"))).toEqual(["next", "last"])
  })

  it.each([
    ["no text", "text,tags\n,x", "it has no text"],
    ["a long text", `text\n${"x".repeat(2001)}`, /1–2,000 characters/],
    ["a NUL", "text\na\0b", "it holds NUL characters"],
    ["a control character", "text\na\u0007b", /control characters/],
    ["a long tag", `text,tags\na,${"x".repeat(10_000)}`, "a tag has 1–50 characters"],
    ["too many tags", `text,tags\na,"${Array.from({ length: 21 }, (_, n) => `t${n}`).join()}"`, /at most 20 tags/],
    ["a computed tag", "text,tags\na,Branded", /computed/],
    ["an unknown status", "text,status\na,on", /not one of active, paused, archived/],
    ["a long line", `text\n${"x".repeat(20_000)}`, /longer than 16,384/],
    ["a cell that is not closed", `text\n"${"x\n".repeat(20_000)}`, "a quotation mark is not closed"]
  ])("a line with %s is refused", (_, text, reason) => {
    expect(read(text).refused[0]).toEqual({ line: 2, reason: expect.stringMatching(reason) as string })
  })

  it("no text is lost at a delimiter without quotation marks", () => {
    const file = read("text,tags\nbest anvil, cheap?,x\n\"best anvil, cheap?\",x\nplain,x,,\n")
    expect(file.refused).toEqual([{
      line: 2,
      reason: expect.stringMatching(/quote texts that hold the delim/) as string
    }])
    expect(file.keywords).toMatchObject([
      { line: 3, text: "best anvil, cheap?", tags: ["x"] },
      { line: 4, text: "plain", tags: ["x"] }
    ])
    expect(read("text,tags,status,\nbest,anvil,,cheap?").refused.map(({ line }) => line)).toEqual([2])
  })

  it.each([
    ["keyword,question\na,b", "its columns \"keyword\" and \"question\" all mean text: keep one of them"],
    ["text;tags;Text\na;b;c", "its columns \"text\" and \"text\" all mean text: keep one of them"],
    ["tag,text,tags\na,b,c", "its columns \"tag\" and \"tags\" all mean tags: keep one of them"],
    ["text,status,status\na,paused,active", "its columns \"status\" and \"status\" all mean status: keep one of them"]
  ])("nothing is read if two columns have the same meaning: %j", (text, reason) => {
    expect(read(text)).toEqual({
      keywords: [],
      refused: [{ line: 1, reason: `${reason}: this line and those behind it are not read` }],
      ignoredColumns: []
    })
    expect(read(`sep=,\n${text.replaceAll(";", ",")}`).refused.map(({ line }) => line)).toEqual([2])
  })

  it("complete lines are read if the text is the only column", () => {
    const lines = ["best anvil, cheap?", "a,b,,c", "a;b c", ",which anvil?"]
    expect(texts(read(`text\n${lines.join("\n")}\n"a, b"\nlast,,\n`))).toEqual([...lines, "a, b", "last"])
    expect(texts(read("sep=;\ntext\na; b, c"))).toEqual(["a; b, c"])
    expect(read("text\n\"a, b\",c\n").refused.map(({ line }) => line)).toEqual([2])
  })

  it("other scripts are accepted, and a repeated tag counts once", () => {
    expect(read("text,tags\n最好的铁砧？,\"价格, ЦЕНА,цена\"\n").keywords).toEqual([
      { line: 2, text: "最好的铁砧？", tags: ["价格", "ЦЕНА"], status: null }
    ])
  })

  it("a file is read in UTF-16 with or without a byte order mark; other encodings are refused by line", () => {
    const text = "text\tstatus\r\nGrößter Amboss?\tactive\r\n"
    const little = Buffer.from(text, "utf16le")
    const big = Buffer.from(little).swap16()
    for (
      const bytes of [
        little,
        big,
        Buffer.concat([Buffer.of(0xff, 0xfe), little]),
        Buffer.concat([Buffer.of(0xfe, 0xff), big])
      ]
    ) {
      for (const piece of [1, 3, 4096]) expect(texts(readBytes(bytes, piece))).toEqual(["Größter Amboss?"])
    }
    const latin = readBytes(
      Buffer.concat([Buffer.from("text\nanvil\nGr"), Buffer.of(0xf6, 0xdf), Buffer.from("e\nforge")])
    )
    expect(latin.refused).toEqual([{ line: 3, reason: "it is not UTF-8: save the file as UTF-8" }])
    expect(texts(latin)).toEqual(["anvil", "forge"])
  })

  it("reading stops at the limit of keywords or characters and reports the line", () => {
    const many = read("q\n".repeat(50_001), 65_536)
    expect(many.keywords).toHaveLength(50_000)
    expect(many.refused).toEqual([{
      line: 50_001,
      reason: expect.stringMatching(/more than 50,000 keywords/) as string
    }])
    const reader = makeKeywordFileReader()
    const piece = Buffer.alloc(1_048_576, "x")
    let pieces = 0
    while (pieces < 1024 && reader.push(piece)) pieces++
    expect(pieces).toBe(30)
    expect(reader.end().refused.map(({ line }) => line)).toEqual([1, 1])
  })

  it("the pieces in which a file arrives do not change the result, and no piece causes a failure", () => {
    const parts = fc.constantFrom(
      "text",
      ",",
      ";",
      "\"",
      "\n",
      "\r\n",
      "\r",
      "a",
      "ä",
      "\0",
      "'=",
      "\uFEFF",
      "sep=;",
      "x".repeat(9000)
    )
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), fc.integer({ min: 1, max: 7 }), (given, piece) => {
        const text = given.join("")
        const whole = read(text)
        expect(read(text, text.length > 500 ? 997 * piece : piece)).toEqual(whole)
        const lines = [...whole.keywords, ...whole.refused].map(({ line }) => line)
        expect(new Set(lines).size).toBe(lines.length)
      }),
      { numRuns: propertyRuns(300) }
    )
  })

  it("an export is read back unchanged", () => {
    const text = fc.stringMatching(/^['=+@a-z";,\t-]{1,20}$/).map((one) => one.trim()).filter((one) => one !== "")
    fc.assert(fc.property(fc.array(text, { maxLength: 5 }), (given) => {
      const csv = keywordCsvHeader +
        given.map((one) =>
          keywordCsvLine({ text: one, status: "paused" } as Parameters<typeof keywordCsvLine>[0], ["a", "'=b"])
        ).join("")
      const { keywords, refused } = read(csv)
      expect(refused).toEqual([])
      expect(keywords.map((one) => one.text)).toEqual(given.map((one) => one.replace(/\s+/g, " ")))
      for (const one of keywords) expect(one).toMatchObject({ status: "paused", tags: ["a", "'=b"] })
    }))
  })
})
