/** Invented answers: a pure function of its input, with variation between runs as on real platforms. */
import type { PlatformId } from "../../../domain/platforms/Platform.ts"

/**
 * One question to the generator. `run` identifies the repetition: another run gives another answer. `mentionRate` is
 * 0–1.
 */
export interface SimulatedQuestion {
  readonly seed: number
  readonly platform: PlatformId
  readonly prompt: string
  readonly run: string
  readonly brand: string
  readonly competitors: ReadonlyArray<string>
  readonly mentionRate: number
}

/** `mentioned` lists the names that occur in the text, in order of first appearance. */
export interface SimulatedText {
  readonly text: string
  readonly mentioned: ReadonlyArray<string>
  readonly sources: ReadonlyArray<SimulatedSource>
  /** Pages that the platform read but the answer does not cite. */
  readonly retrieved: ReadonlyArray<SimulatedSource>
  /** The platform's search queries; empty if it did not search. */
  readonly queries: ReadonlyArray<string>
}

/** An invented page; its host ends in `.example`, which is reserved (RFC 2606). */
export interface SimulatedSource {
  readonly url: string
  readonly title: string
}

/** Numbers in [0, 1) from a 32-bit seed (mulberry32, T. Ettinger, public domain). */
const mulberry32 = (seed: number): () => number => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** FNV-1a over the parts, finished with murmur3's mixer so that similar texts give unrelated streams. */
const makeRandomStream = (...parts: ReadonlyArray<string | number>): () => number => {
  let hash = 0x811c9dc5
  for (const unit of JSON.stringify(parts)) hash = Math.imul(hash ^ unit.codePointAt(0)!, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return mulberry32(hash ^ (hash >>> 16))
}

/**
 * How much keywords differ from the mean: a Beta distribution with a + b = 3, which is broad but rarely near 0 or 1.
 */
const concentration = 3

/** Beta(mean·3, (1 − mean)·3) by Jöhnk's method. */
const sampleBeta = (mean: number, random: () => number): number => {
  if (mean <= 0 || mean >= 1) return Math.min(Math.max(mean, 0), 1)
  for (;;) {
    const x = random() ** (1 / (concentration * mean))
    const y = random() ** (1 / (concentration * (1 - mean)))
    if (x + y > 0 && x + y <= 1) return x / (x + y)
  }
}

const mentionsName = (text: string, name: string) => text.toLowerCase().includes(name.toLowerCase())

/**
 * The probability that a run names the entity: fixed by seed, platform and prompt. If the prompt itself contains the
 * name, the answer almost always repeats it.
 */
export const mentionProbability = (question: Omit<SimulatedQuestion, "run">, entity: string): number => {
  if (mentionsName(question.prompt, entity)) return 0.97
  const { brand, mentionRate, platform, prompt, seed } = question
  const strength = entity === brand ? mentionRate : 0.25 + 0.5 * makeRandomStream("strength", seed, entity)()
  return sampleBeta(strength, makeRandomStream("base", seed, platform, prompt, entity))
}

const praise = [
  "is a strong choice and easy to recommend",
  "is often praised for being easy to set up",
  "stands out for its reliability and good support",
  "offers excellent value and a polished experience"
]
const plain = [
  "covers the basics and works with most common tools",
  "has been around for several years and is used by teams of all sizes",
  "offers a free tier and several paid plans",
  "focuses on mid-sized teams"
]
const doubt = [
  "is capable, but users complain about slow support",
  "can become expensive and is harder to learn than others",
  "lacks some features that similar products offer",
  "has received mixed reviews after recent price increases"
]
const openings = [
  "It depends on your budget and needs, but some names come up again and again.",
  "Several options are worth a look.",
  "Here is a short overview based on commonly cited strengths.",
  "There are a few established options, and the right one depends on the size of your team."
]
const closings = [
  "Try a free plan before you commit, and check current prices on each vendor's site.",
  "If you tell me more about your requirements, I can narrow this down.",
  "Prices and features change often, so compare recent reviews.",
  "Shortlist two or three and run a small pilot."
]
const general = [
  "Start from your requirements: the number of people, the tools you already use, and your budget.",
  "Look for clear pricing, an export of your data, and support in your time zone.",
  "Independent reviews and a short trial tell more than any feature list.",
  "Ask colleagues with a similar setup what they would choose again."
]
/** The rate at which answers cite each invented page. */
const citedRate = 0.4
/** A page about the competitors, so that there is a gap to find: answers that name the brand rarely cite it. */
const rivalPage: SimulatedSource = {
  url: "https://forum.example/recommendations",
  title: "Forum thread: recommendations"
}
const rivalPageRate = { withBrand: 0.1, withoutBrand: 0.7 }
const sources: ReadonlyArray<SimulatedSource> = [
  { url: "https://guide.example/buyers-guide", title: "Buyer's guide" },
  { url: "https://guide.example/comparison", title: "Side-by-side comparison" },
  { url: "https://www.reviews.example/all?utm_source=simulated", title: "User reviews" },
  rivalPage
]

/** The name as a host under `.example`. */
const makeHostName = (name: string): string => {
  const words = name.normalize("NFKD").toLowerCase().match(/[a-z0-9]+/g)?.join("-").slice(0, 63)
  return `${words ?? "brand"}.example`
}
const makeOwnPage = (name: string): SimulatedSource => ({ url: `https://${makeHostName(name)}/`, title: name })

/** The prompt's topic, if it fits into a sentence and contains no names. */
const findTopic = (prompt: string, names: ReadonlyArray<string>): string => {
  const bare = prompt.trim().replace(/[?!.\s]+$/, "")
    .replace(/^(?:what|which|who)(?:\s+(?:is|are)(?:\s+the)?)\s+/i, "").replace(/^(?:the\s+)?(?:best|top)\s+/i, "")
  const readable = /^[\p{L}\p{N}][\p{L}\p{N} ,'-]{2,79}$/u.test(bare) &&
    !/^(?:what|which|who|how|is|are|should|can|do)\b/i.test(bare)
  return readable && !names.some((name) => mentionsName(bare, name)) ? bare : "this"
}

/** Writes the answer of one run. The same question always gives the same text. */
export const simulateText = (question: SimulatedQuestion): SimulatedText => {
  const { brand, competitors, platform, prompt, run, seed } = question
  const random = makeRandomStream("run", seed, platform, prompt, run)
  const pick = <A>(from: ReadonlyArray<A>): A => from[Math.floor(random() * from.length)]!
  const names = [...new Set([brand, ...competitors])]
  const mentioned = names
    .map((name) => ({ name, chance: mentionProbability(question, name) }))
    .filter(({ chance }) => random() < chance)
    .map(({ chance, name }) => ({ name, rank: chance + 0.6 * random() }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ name }) => name)
  const say = () => {
    const mood = random()
    return pick(mood < 0.4 ? praise : mood < 0.85 ? plain : doubt)
  }
  const topic = findTopic(prompt, names)
  const rivalRate = mentioned.includes(brand) ? rivalPageRate.withBrand : rivalPageRate.withoutBrand
  const others = sources.filter((source) => random() < (source === rivalPage ? rivalRate : citedRate))
  // Sources use a separate random stream, so that the text does not depend on them
  const drawn = makeRandomStream("sources", seed, platform, prompt, run)
  const searched = drawn() < 0.9
  const cited = [...mentioned.filter(() => drawn() < 0.3).map(makeOwnPage), ...others]
  const known = new Set(cited.map(({ url }) => url))
  const read = [...names.map(makeOwnPage), ...sources].filter(({ url }) => !known.has(url) && drawn() < 0.3)
  const answer = (blocks: ReadonlyArray<string>) => ({
    text: blocks.join("\n\n"),
    mentioned,
    sources: searched ? cited : [],
    retrieved: searched ? read : [],
    queries: searched ? [topic === "this" ? prompt.trim() : topic] : []
  })

  if (mentioned.length === 0) {
    return answer([`There is no single best answer for ${topic}.`, pick(general), `${pick(general)} ${pick(closings)}`])
  }
  const [first = "", ...rest] = mentioned
  const styles: ReadonlyArray<() => ReadonlyArray<string>> = [
    () => [pick(openings), mentioned.map((name, i) => `${i + 1}. **${name}** ${say()}.`).join("\n"), pick(closings)],
    () => [
      `Popular options for ${topic}:`,
      mentioned.map((name) => `- **${name}**: it ${say()}.`).join("\n"),
      `If I had to pick one, I would start with ${first}. ${pick(closings)}`
    ],
    () => [
      `For ${topic}, ${first} ${say()}. ${pick(general)}`,
      ...rest.map((name) => `${name} ${say()}.`),
      pick(closings)
    ],
    () => [
      "## Short answer",
      `${first} ${say()}.`,
      "## Comparison",
      ["| Option | In short |", "| --- | --- |", ...mentioned.map((name) => `| ${name} | It ${say()} |`)].join("\n"),
      pick(closings)
    ],
    () => [pick(openings), ...mentioned.map((name) => `### ${name}\n\nThis option ${say()}. ${pick(general)}`)]
  ]
  return answer(pick(styles)())
}
