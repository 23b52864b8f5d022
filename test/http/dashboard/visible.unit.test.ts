/** Characters that readers cannot see, or that change the direction of text, are written out. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { visible } from "../../../packages/http/src/dashboard/visible.ts"

describe("text with invisible characters", () => {
  it.each([
    ["right-to-left override", "a\u202eb", "a⟨U+202E⟩b"],
    ["isolate", "\u2066a\u2069", "⟨U+2066⟩a⟨U+2069⟩"],
    ["space without width", "Brum\u200bella", "Brum⟨U+200B⟩ella"],
    ["joiner between Latin letters", "a\u200db", "a⟨U+200D⟩b"],
    ["tag character", "a\u{e0041}", "a⟨U+E0041⟩"],
    ["supplementary variation selector", "a\u{e0100}", "a⟨U+E0100⟩"],
    ["escape", "\u001b[31m", "⟨U+001B⟩[31m"],
    ["NUL", "\0", "⟨U+0000⟩"],
    ["control of the second row", "\u0085", "⟨U+0085⟩"],
    ["carriage return of its own", "a\rb", "a⟨U+000D⟩b"],
    ["byte order mark", "\ufeffa", "⟨U+FEFF⟩a"]
  ])("an invisible character is written out: %s", (_, text, shown) => expect(visible(text)).toBe(shown))

  it.each([
    ["line breaks and tabs", "a\nb\r\nc\td"],
    ["a joiner of Persian", "می\u200cخواهم"],
    ["a joiner of Hindi", "क्\u200dष"],
    ["an emoji of several signs", "👩\u200d🔬 👩🏽\u200d🚀 ❤️\u200d🔥"],
    ["accents", "e\u0301 ñ ß"]
  ])("characters that are visible stay unchanged: %s", (_, text) => expect(visible(text)).toBe(text))

  it("the result never contains an invisible character, whatever the text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(visible(text)).not.toMatch(
        /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/
      )
    }))
  })
})
