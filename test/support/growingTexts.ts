/**
 * Texts of any length made by repeating pieces of markup and prose. If an algorithm is not linear, one of them shows
 * it.
 */

/** Pieces that answers consist of: complete constructs and halves of them. All of the prose is about the brand Acme. */
export const pieces: ReadonlyArray<string> = [
  "[",
  "]",
  "(",
  ")",
  "](x)",
  "](x",
  "[a](",
  "[x](a",
  "[a](b ",
  "[a](<b",
  "[a](b \"c\")",
  "![",
  "![a](b)",
  "[a][b]",
  "[b]: http://x.example \"y\"\n",
  "[^a]: ",
  "[1]",
  "【3†",
  "】",
  " ",
  "\t",
  "\n",
  "\r\n",
  "\n\n",
  "`",
  "`` ",
  "```\n",
  "```json\n",
  "~~~ts\n",
  "*",
  "**",
  "*a_",
  "~~",
  "_",
  "|",
  "|a",
  "|-|\n",
  "a|b\n",
  "<",
  ">",
  "<a ",
  "<a b='c ",
  "<a x='' y='",
  "<p x=\"\" y='",
  "=\"",
  "<a href=x>",
  "</a>",
  "<br>",
  "<!--",
  "-->",
  "<script>",
  "</script>",
  "<style ",
  "<?",
  "&",
  "&amp;",
  "&#x41;",
  "\\",
  "- ",
  "1. ",
  "> ",
  "# ",
  "---\n",
  "===\n",
  "- [ ] ",
  "{",
  "}",
  "{\"a\":",
  "\"",
  "\"a\\",
  "\\u0041",
  "[\"",
  ",",
  ":",
  ";",
  ". ",
  "? ",
  "https://",
  "https://a.example/b",
  "a.co/",
  "a.co",
  "@",
  "a@",
  "www.a",
  "/",
  "-",
  "'",
  "a",
  "a ",
  "Acme",
  "Acme ",
  "Acme, ",
  "Bolt and ",
  "acme.example ",
  "good ",
  "good-",
  "not ",
  "best: ",
  "than ",
  "recommend ",
  "Pros: ",
  "however ",
  "is the best anvil good?",
  "\u201cbest",
  "\u0301",
  "e\u0301",
  "a\u0316\u0301",
  "\u200b",
  "\u00ad",
  "\ufe0f",
  "™",
  "Ａ",
  "é",
  "İ",
  "😀",
  "𝐀",
  "\ud800",
  "滴滴",
  "甲",
  "ライン",
  "ไลน์",
  "라인",
  "ли",
  "م",
  "\u0000"
]

const fill = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

/** A way to build a text of a given length from pieces. */
export interface Shape {
  readonly name: string
  readonly make: (size: number) => string
}

const show = (parts: ReadonlyArray<string>): string => parts.map((part) => JSON.stringify(part)).join(" ")

/**
 * Repeats each piece equally often, one piece after the other: `aaa…bbb…`, so that opening pieces can be closed, with
 * the brand in between.
 */
const blocksOf = (...parts: ReadonlyArray<string>): Shape => ({
  name: `blocks ${show(parts)}`,
  make: (size) => {
    const count = Math.max(1, Math.floor(size / parts.reduce((sum, part) => sum + part.length, 0)))
    return parts.map((part) => part.repeat(count)).join("Acme")
  }
})

/** Alternates the pieces after the brand: `abab…`. */
export const turnsOf = (...parts: ReadonlyArray<string>): Shape => ({
  name: `turns ${show(parts)}`,
  make: (size) => `Acme ${fill(parts.join(""), size)}`
})

/** Alternates the first pieces, then repeats the last one: `abab…ccc…`. */
const turnsThenBlock = (last: string, ...parts: ReadonlyArray<string>): Shape => ({
  name: `turns ${show(parts)} then ${show([last])}`,
  make: (size) => `${turnsOf(...parts).make(size / 2)} ${fill(last, size / 2)}`
})

/** All shapes made of two pieces, which may be equal. */
export const pairShapes = (a: string, b: string): ReadonlyArray<Shape> => [
  blocksOf(a, b),
  turnsOf(a, b),
  turnsThenBlock(b, a)
]

/** All shapes made of three pieces. */
export const tripleShapes = (a: string, b: string, c: string): ReadonlyArray<Shape> => [
  blocksOf(a, b, c),
  turnsOf(a, b, c),
  turnsThenBlock(c, a, b),
  { name: `block then turns ${show([a, b, c])}`, make: (size) => fill(a, size / 2) + turnsOf(b, c).make(size / 2) }
]

/** Shapes that once took quadratic time, each for a different reason. */
export const fallenShapes: ReadonlyArray<Shape> = [
  // One-word link destinations, looked up from right to left
  blocksOf("[", "](x)"),
  // Two-word link destinations, looked up alternately
  {
    name: "links into two words by turns",
    make: (size) => {
      const count = Math.floor(size / 13)
      return `Acme ${"[[x](a".repeat(count)} ${"](b".repeat(count)}${")".repeat(2 * count)}`
    }
  },
  // Link destinations before one run of blanks
  {
    name: "destinations before blanks",
    make: (size) => {
      const count = Math.floor(size / 8)
      return `${"[".repeat(count)}Acme${"](x".repeat(count)}${" ".repeat(2 * count)}${")".repeat(count)}`
    }
  },
  // Quotation marks in tags that never end
  turnsOf("<a x='' y='"),
  // Cue words before the name of a label
  { name: "cues before a label", make: (size) => `Bolt.\n\nIt is ${fill("good ", size)}: Acme` },
  // Cue words without a space after a negation
  { name: "cues behind a negation", make: (size) => `Acme is not ${fill("good-", size)}` },
  // Marks at the end of a short label in nested links
  {
    name: "marks at the end of nested labels",
    make: (size) => {
      const count = Math.floor(size / 5)
      return `${"[".repeat(count)}${"/".repeat(280)}Acme${"](x)".repeat(count)}`
    }
  }
]
