/** Texts that grow by repeating pieces of markup and prose: where an algorithm is not linear, one of them shows it. */

/** What answers are made of, whole constructs and halves of them. All of it is about the brand Acme. */
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

/** A way to make a text of some length of pieces. */
export interface Shape {
  readonly name: string
  readonly make: (size: number) => string
}

const show = (parts: ReadonlyArray<string>): string => parts.map((part) => JSON.stringify(part)).join(" ")

/** Each piece as often as the others: `aaa…bbb…`, so that what opens can be closed, with the brand between. */
const blocksOf = (...parts: ReadonlyArray<string>): Shape => ({
  name: `blocks ${show(parts)}`,
  make: (size) => {
    const count = Math.max(1, Math.floor(size / parts.reduce((sum, part) => sum + part.length, 0)))
    return parts.map((part) => part.repeat(count)).join("Acme")
  }
})

/** The pieces by turns: `abab…`, after the brand. */
export const turnsOf = (...parts: ReadonlyArray<string>): Shape => ({
  name: `turns ${show(parts)}`,
  make: (size) => `Acme ${fill(parts.join(""), size)}`
})

/** By turns the first ones, then the last one: `abab…ccc…`. */
const turnsThenBlock = (last: string, ...parts: ReadonlyArray<string>): Shape => ({
  name: `turns ${show(parts)} then ${show([last])}`,
  make: (size) => `${turnsOf(...parts).make(size / 2)} ${fill(last, size / 2)}`
})

/** All shapes of two pieces, each of which may be the same. */
export const pairShapes = (a: string, b: string): ReadonlyArray<Shape> => [
  blocksOf(a, b),
  turnsOf(a, b),
  turnsThenBlock(b, a)
]

/** Shapes of three pieces. */
export const tripleShapes = (a: string, b: string, c: string): ReadonlyArray<Shape> => [
  blocksOf(a, b, c),
  turnsOf(a, b, c),
  turnsThenBlock(c, a, b),
  { name: `block then turns ${show([a, b, c])}`, make: (size) => fill(a, size / 2) + turnsOf(b, c).make(size / 2) }
]

/** Shapes that once took quadratic time, each by another cause. */
export const fallenShapes: ReadonlyArray<Shape> = [
  // Destinations in one word, asked for from right to left
  blocksOf("[", "](x)"),
  // The same in two words, asked for by turns
  {
    name: "links into two words by turns",
    make: (size) => {
      const count = Math.floor(size / 13)
      return `Acme ${"[[x](a".repeat(count)} ${"](b".repeat(count)}${")".repeat(2 * count)}`
    }
  },
  // Destinations before one run of blanks
  {
    name: "destinations before blanks",
    make: (size) => {
      const count = Math.floor(size / 8)
      return `${"[".repeat(count)}Acme${"](x".repeat(count)}${" ".repeat(2 * count)}${")".repeat(count)}`
    }
  },
  // Quotation marks in tags without an end
  turnsOf("<a x='' y='"),
  // Cues before a label's name
  { name: "cues before a label", make: (size) => `Bolt.\n\nIt is ${fill("good ", size)}: Acme` },
  // Cues without a space behind a negation
  { name: "cues behind a negation", make: (size) => `Acme is not ${fill("good-", size)}` },
  // Marks at the end of a short label, in nested links
  {
    name: "marks at the end of nested labels",
    make: (size) => {
      const count = Math.floor(size / 5)
      return `${"[".repeat(count)}${"/".repeat(280)}Acme${"](x)".repeat(count)}`
    }
  }
]
