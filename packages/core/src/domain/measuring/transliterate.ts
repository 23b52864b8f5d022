/**
 * Transliterates names from Cyrillic and Greek to Latin letters. Russian: BGN/PCGN (1947) without its apostrophes and
 * the "y" before "e". Names with Ukrainian letters: the Ukrainian national system (2010). Greek: ELOT 743 (1982). Other
 * scripts are not supported, because no rule gives a company's spelling: Japanese kanji have several readings, and トヨタ
 * is "Toyota".
 */

const pair = (from: string, to: string): ReadonlyArray<readonly [string, string]> => {
  const latin = to.split(" ")
  return from.split(" ").map((letter, index) => [letter, latin[index] === "-" ? "" : latin[index]!] as const)
}

const russian = new Map(pair(
  "а б в г д е ё ж з и й к л м н о п р с т у ф х ц ч ш щ ъ ы ь э ю я",
  "a b v g d e yo zh z i y k l m n o p r s t u f kh ts ch sh shch - y - e yu ya"
))

const ukrainian = new Map([...russian, ...pair("г ґ и і ї й є ю я", "h g y i i i ie iu ia")])
/** Letters that are written differently at the start of a word. */
const ukrainianFirst = new Map(pair("ї й є ю я", "yi y ye yu ya"))

const greek = new Map(pair(
  "αι ει οι ου υι γγ γξ γχ α β γ δ ε ζ η θ ι κ λ μ ν ξ ο π ρ σ ς τ υ φ χ ψ ω",
  "ai ei oi ou yi ng nx nch a v g d e z i th i k l m n x o p r s s t y f ch ps o"
))
const beforeVoiceless = /^(?:[θκξπσςτφχψ]|$)/u

/** Converts "αυ" to "af" before a voiceless letter and at the end of a word, else to "av". */
const greekDigraph = (word: string, at: number): string | undefined => {
  const first = { α: "a", ε: "e", η: "i" }[word[at]!]
  if (word[at] === "μ" && word[at + 1] === "π" && at === 0) return "b"
  if (first === undefined || word[at + 1] !== "υ") return undefined
  return first + (beforeVoiceless.test(word.slice(at + 2)) ? "f" : "v")
}

const fromGreek = (given: string): string => {
  const word = given.normalize("NFD").replace(/[\u0300\u0301\u0308\u0342]/gu, "").normalize("NFC")
  let latin = ""
  for (let at = 0; at < word.length;) {
    const two = greekDigraph(word, at) ?? greek.get(word.slice(at, at + 2))
    latin += two ?? greek.get(word[at]!) ?? word[at]!
    at += two === undefined ? 1 : 2
  }
  return latin
}

const fromCyrillic = (word: string): string => {
  const own = /[ґіїє]/u.test(word)
  const table = own ? ukrainian : russian
  return Array.from(
    word,
    (letter, at) => (own && at === 0 ? ukrainianFirst.get(letter) : undefined) ?? table.get(letter) ?? letter
  )
    .join("")
}

/** Applies the capitals of `word` (all, the first, or none) to `latin`. */
const capitalise = (word: string, latin: string): string =>
  word === word.toUpperCase() && word.length > 1
    ? latin.toUpperCase()
    : word[0] === word[0]!.toLowerCase()
    ? latin
    : latin.slice(0, 1).toUpperCase() + latin.slice(1)

const cyrillicName = /^[А-яЁёІіЇїЄєҐґ]{2,}(?:[ -][А-яЁёІіЇїЄєҐґ]+)*$/u
const greekName = /^[\u0370-\u03ff]{2,}(?:[ -][\u0370-\u03ff]+)*$/u

/** The spellings of a name in Latin letters; empty for names that are not Russian, Ukrainian or Greek. */
export const transliterate = (name: string): ReadonlyArray<string> => {
  const convert = cyrillicName.test(name) ? fromCyrillic : greekName.test(name) ? fromGreek : undefined
  if (convert === undefined) return []
  const latin = name.split(/(?<=[ -])|(?=[ -])/u)
    .map((word) => /\p{L}/u.test(word) ? capitalise(word, convert(word.toLowerCase())) : word).join("")
  // Companies often write "кс" as x: Yandex
  const brief = latin.replace(/ks/gu, "x").replace(/KS/gu, "X")
  return [...new Set([latin, brief])]
}
