/** From a phrase that stands out to the names that it may begin with. */

/** Words between the parts of a name ("Briggs & Riley", "Bank of America", "La Roche-Posay"). */
const joiners = new Set([
  "&",
  "+",
  "of",
  "and",
  "de",
  "di",
  "du",
  "del",
  "des",
  "la",
  "le",
  "und",
  "et",
  "y",
  "e",
  "van",
  "von"
])
/** Behind these another name may begin ("Soundcore by Anker"). */
const dividers = /\s(?:by|from|von|par|vs\.?|versus|or|oder|ou|and|und|with|for|für|pour|para)\s|[:：,;/|]|\s[-–—]\s/gu
/** What stands before a name and is none of it: numbers, marks, emoji, articles, quotation marks. */
const lead = /^(?:[^\p{L}\p{N}]|\d{1,3}[.)]\s)+/u
const article = /^[Tt]he\s(?=\p{Lu})/u

const word = /^(?:\p{Lu}|\p{Lo}|\d{1,2}\p{Lu}{2}|\p{Ll}{1,2}\p{Lu})(?:[\p{L}\p{M}\p{N}&'’.+]|-(?!\p{Ll}{4}))*$/u
const modelWord = /^(?=.*\d)(?!\p{Lu}[\p{L}]{3,}\d{1,4}$|\d{1,2}\p{L}{1,8}$)/u
const ends = /[,;.!?)\]"”»]$/u

const maxWords = 3

/** The beginnings of a phrase that may be a name, shortest first. */
export interface Beginning {
  readonly name: string
  /** The name in lower case, by which its spellings are one. */
  readonly key: string
  /** Whether a word with a capital or a digit follows, as a model's name does. */
  readonly goesOn: boolean
}

const opensModel = /^[\p{Lu}\d]/u

const makeBeginning = (name: string, next: string | undefined): Beginning => ({
  name,
  key: name.toLowerCase(),
  goesOn: next !== undefined && opensModel.test(next)
})

const genitive = /\p{L}['’]s$/u

const tidy = (raw: string): string => raw.replace(/[.,;!?)"”»]+$/u, "").replace(/['’]s?$/u, "")

const beginningsOf = (part: string): ReadonlyArray<Beginning> => {
  const words = part.replace(lead, "").split(" ", 8)
  const found: Array<Beginning> = []
  let name = ""
  let count = 0
  for (let i = 0; i < words.length && count < maxWords; i++) {
    const raw = words[i]!
    if (count > 0 && joiners.has(raw) && i + 1 < words.length) {
      const after = words[i + 1]!
      if (!word.test(tidy(after))) break
      // The name goes on behind a joiner: what stands before it is no name of its own
      found.pop()
      name += ` ${raw} ${tidy(after)}`
      i++
      count++
      found.push(makeBeginning(name, words[i + 1]))
      if (ends.test(after)) break
      continue
    }
    const own = tidy(raw)
    if (!word.test(own) || own.length > 40 || modelWord.test(own)) break
    name = count === 0 ? own : `${name} ${own}`
    count++
    found.push(makeBeginning(name, words[i + 1]))
    // "Paula's Choice" may be a name, "Acme's anvil" is none
    const after = words[i + 1]
    if (genitive.test(raw) && after !== undefined && word.test(tidy(after))) {
      name = name.slice(0, -own.length) + raw
      continue
    }
    if (ends.test(raw) || own !== raw) break
  }
  return found
}

/** The names that a phrase may begin with, and those behind a divider in it. */
const listBeginnings = (phrase: string): ReadonlyArray<Beginning> =>
  [phrase, ...phrase.split(dividers)].flatMap((part, i, all) =>
    part === undefined || (i > 0 && all.length === 2) ? [] : beginningsOf(part.trim().replace(article, ""))
  )

/** Phrases that are remembered; answers to the same questions repeat theirs. */
const maxRemembered = 20_000

/** The beginnings of phrases, each worked out once while it is remembered. */
export class Beginnings {
  private readonly known = new Map<string, ReadonlyArray<Beginning>>()

  of(phrase: string): ReadonlyArray<Beginning> {
    let found = this.known.get(phrase)
    if (found === undefined) {
      if (this.known.size >= maxRemembered) this.known.clear()
      this.known.set(phrase, found = listBeginnings(phrase))
    }
    return found
  }
}
