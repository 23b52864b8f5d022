/**
 * The meanings of words in pages and documents: the dashboard shows them beside a term, docs/glossary.md lists them
 * all.
 */

/** The entry of a word: its meaning in a few plain sentences. */
export interface GlossaryEntry {
  readonly term: string
  readonly meaning: string
  /** The page of docs/ that explains more. */
  readonly more: string
}

const entries = {
  share: {
    term: "Share of voice",
    meaning:
      "How much of the answers is yours, 0 to 100 %. An answer that names you counts 100 % divided by the number of tracked names in it; an answer that does not name you counts 0. A platform is the mean of its questions, the share of voice the mean of the platforms.",
    more: "measuring.md"
  },
  interval: {
    term: "95 % interval",
    meaning:
      "The range in which the share lies for all questions like yours. With other questions of the same kind it would lie within it in 95 of 100 cases. It needs several questions; where it is missing there are too few.",
    more: "measuring.md"
  },
  noise: {
    term: "More than noise",
    meaning:
      "Assistants answer the same question differently every time, so every share moves. Where nothing has changed, anything at all is marked as more than noise in at most 5 of 100 comparisons. Within noise does not mean that nothing changed, only that these answers do not show it.",
    more: "measuring.md"
  },
  rank: {
    term: "Rank",
    meaning: "Your place among all tracked names by share of voice. Names with equal shares have the same place.",
    more: "why-tools-disagree.md"
  },
  mentionRate: {
    term: "Named in",
    meaning: "In how many answers you are mentioned at all, however often and beside whom.",
    more: "why-tools-disagree.md"
  },
  next: {
    term: "If nothing changes",
    meaning:
      "The range in which the share of the next scan lies if it asks the same questions and nothing has changed. A result outside it is worth a look.",
    more: "measuring.md"
  },
  noTrackedBrand: {
    term: "No tracked brand",
    meaning: "The part of the answers in which neither you nor any of your competitors is mentioned.",
    more: "measuring.md"
  },
  combined: {
    term: "Scans combined",
    meaning:
      "One scan has few answers to one question. The answers of several scans together give a share that moves less, and an interval.",
    more: "measuring.md"
  },
  branded: {
    term: "Question with your brand",
    meaning:
      "A question that contains your name almost always brings an answer that names you. It is asked and archived, and left out of the headline.",
    more: "keywords.md"
  },
  tag: {
    term: "Tag",
    meaning: "A label that groups questions. The share of a tag is computed over its questions only.",
    more: "keywords.md"
  },
  question: {
    term: "Question",
    meaning: "What a scan asks every platform, word for word. The API and the command call it a keyword.",
    more: "keywords.md"
  },
  scan: {
    term: "Scan",
    meaning: "One round in which every question is put to every platform, and every answer is archived and measured.",
    more: "planning.md"
  },
  platform: {
    term: "Platform",
    meaning:
      "An assistant whose answers are archived: a provider, a model and whether it searches the web. Its number is comparable only while these stay the same.",
    more: "platforms.md"
  },
  tone: {
    term: "Tone",
    meaning: "Whether an answer speaks well of you, ill of you, or neither. It is judged only where you are named.",
    more: "measuring.md"
  },
  position: {
    term: "Position",
    meaning: "The place of your first mention among the tracked names of an answer: 1 is named first.",
    more: "measuring.md"
  },
  citationShare: {
    term: "Citation share",
    meaning:
      "How much of what answers cite is a domain or page. Every answer with sources counts once and is divided among what it cites, so that all shares add up to 100 %.",
    more: "sources.md"
  },
  listed: {
    term: "Listed source",
    meaning:
      "A domain or page that enough answers to enough questions cite to be expected again. Others may differ in the next scan.",
    more: "sources.md"
  },
  gap: {
    term: "Gap",
    meaning:
      "A domain that is cited more often where only competitors are named than where you are. It is tested against chance.",
    more: "sources.md"
  },
  certainty: {
    term: "Certainty",
    meaning: "Whether what raised an alert exceeds noise. An alert that may be noise is raised as well, and says so.",
    more: "alerts.md"
  },
  proof: {
    term: "Proof",
    meaning:
      "A file that shows that an answer stands in the archive as it was received. Every scan is sealed: a hash over its answers and the seal before it, which nobody can change unnoticed.",
    more: "archive.md"
  },
  excludedTerms: {
    term: "Excluded terms",
    meaning: "Names that contain yours and mean somebody else. A mention of one is not counted.",
    more: "measuring.md"
  },
  simulated: {
    term: "SIMULATED",
    meaning: "These answers were invented by the demo, not given by a platform. They never count among real ones.",
    more: "getting-started.md"
  }
} as const satisfies { readonly [key: string]: GlossaryEntry }

/** A word in the glossary. */
export type GlossaryKey = keyof typeof entries

export const glossary: { readonly [key in GlossaryKey]: GlossaryEntry } = entries

/** All entries in the order of their terms. */
export const glossaryEntries: ReadonlyArray<readonly [key: GlossaryKey, entry: GlossaryEntry]> = Object.entries(entries)
  .map(([key, entry]) => [key as GlossaryKey, entry] as const)
  .toSorted(([, a], [, b]) => a.term.localeCompare(b.term, "en"))
