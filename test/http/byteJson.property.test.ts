/** JSON encoded from bytes is identical, byte for byte, to JSON encoded from texts. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { encodeByteJson } from "../../packages/http/src/handlers/byteJson.ts"

const wellFormed = fc.string({ unit: "binary" }).map((text) => text.toWellFormed())

const beside = fc.record({
  title: fc.option(wellFormed),
  n: fc.integer(),
  shown: fc.boolean(),
  list: fc.array(wellFormed)
})

it("a text and its UTF-8 bytes are encoded as the same JSON, whatever else the value contains", () => {
  fc.assert(fc.property(wellFormed, beside, (text, other) => {
    const byText = Buffer.from(JSON.stringify({ title: text, text, rows: [{ text, other }] }))
    const bytes = new Uint8Array(Buffer.from(`-${text}-`)).subarray(1, -1)
    const byBytes = encodeByteJson({ title: text, text: bytes, rows: [{ text: bytes, other }] })
    expect(Buffer.from(byBytes).equals(byText)).toBe(true)
  }))
})

it.each(["–", "\u0000\u001f\u007f\u0080\u009f", "\"\\\b\f\n\r\t/", "\u2028\u2029", "😀 𝒳", "\uFFFD\uFFFE", "é\u0301"])(
  "the text %j is escaped in the same way as by JSON.stringify",
  (text) => {
    expect(Buffer.from(encodeByteJson([Buffer.from(text)])).toString()).toBe(JSON.stringify([text]))
  }
)
