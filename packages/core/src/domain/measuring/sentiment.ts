/**
 * Decides the sentiment toward the brand (M16) by rules: cues in the answer's language, each attributed to the name
 * that it describes. The result is `neutral` if there are no cues or if praise and blame balance, and null if the
 * language has no lexicon.
 */
import type { FoldedText } from "./comparisonForm.ts"
import type { Hit } from "./matchMentions.ts"
import type { Sentiment } from "./Measurement.ts"
import { EventReader, type StanceEvent } from "./stance/events.ts"
import { findLexicon } from "./stance/language.ts"
import { type CompiledLexicon, cueBit } from "./stance/Lexicon.ts"
import { readSentence } from "./stance/sentence.ts"
import { type Block, BRAND, NOBODY, Outline, type Owner, splitIntoBlocks } from "./stance/structure.ts"

/** Minimum ratio of praise to blame, or of blame to praise, for an answer that is not mixed. */
const clearRatio = 2.5
/** Maximum number of events in a label such as "Acme at a glance". */
const labelEvents = 3

/** Maximum number of points that one list item can contribute. */
const maxPoints = 4

/** A "Pros" or "Cons" label: the items below it count as praise or blame, no matter what words they contain. */
interface Label {
  readonly sign: number
  readonly level: number
}

const findSoleOwner = (events: ReadonlyArray<StanceEvent>): Owner => {
  const owners = new Set(events.filter((event) => event.kind === "name").map((event) => event.owner))
  return owners.size === 1 ? [...owners][0]! : NOBODY
}

const hasCue = (events: ReadonlyArray<StanceEvent>, bits: number): boolean =>
  events.some((event) => (event.cues & bits) !== 0)

/** Reads an answer block by block; `brandOnly` is set if the answer names no competitor. */
class StanceReader {
  praise = 0
  blame = 0
  private readonly outline = new Outline()
  private readonly text: FoldedText
  private readonly raw: string
  private readonly lexicon: CompiledLexicon
  private readonly brandOnly: boolean
  private label: Label | undefined
  private asked = 0

  constructor(text: FoldedText, raw: string, lexicon: CompiledLexicon, brandOnly: boolean) {
    this.text = text
    this.raw = raw
    this.lexicon = lexicon
    this.brandOnly = brandOnly
  }

  block(block: Block, events: ReadonlyArray<StanceEvent>): void {
    const above = this.outline.ownerOf(block)
    const owner = this.enter(block, events)
    if (this.label !== undefined && block.level <= this.label.level && block.kind !== "cell") this.label = undefined
    const opening = block.kind === "cell" ? 0 : this.labelSign(events)
    if (opening !== 0) this.label = { sign: opening, level: block.level }
    if (this.label !== undefined) return this.underLabel(this.label, block, events, above | owner)
    const concerned = (above & BRAND) !== 0 || this.asked !== 0 || events.some((event) => (event.owner & BRAND) !== 0)
    if (concerned) this.sentences(events, above)
  }

  /** Adds the owner that `block` introduces to the outline. */
  private enter(block: Block, events: ReadonlyArray<StanceEvent>): Owner {
    const aside = hasCue(events, cueBit.aside | cueBit.unlike)
    const lead = block.kind === "item" ? events.slice(0, 2) : events
    const introduces = block.kind !== "text" || events.at(-1)?.kind === "colon" || events.length <= labelEvents
    const owner = aside || !introduces ? NOBODY : findSoleOwner(lead)
    this.outline.enter(block, owner, introduces)
    return owner
  }

  /** +1 or -1 if the block starts with "Pros" or "Cons", possibly after the name of an entity; otherwise 0. */
  private labelSign(events: ReadonlyArray<StanceEvent>): number {
    const first = events.find((event) => event.kind === "cue")
    if (first === undefined || events.indexOf(first) > 1) return 0
    // "Pro Monat kostet A …" is not a label
    const next = events[events.indexOf(first) + 1]?.kind
    if (next === "cue" || next === "foreign") return 0
    return (first.cues & cueBit.pros) !== 0 ? 1 : (first.cues & cueBit.cons) !== 0 ? -1 : 0
  }

  private underLabel(label: Label, block: Block, events: ReadonlyArray<StanceEvent>, owner: Owner): void {
    const about = owner !== NOBODY ? owner : this.brandOnly ? BRAND : NOBODY
    const isLabelAlone = block.level === label.level && !events.some((event) => event.kind === "colon")
    if ((about & BRAND) === 0 || isLabelAlone) return
    // "Pros: fast, cheap, safe" are three points
    const points = Math.min(maxPoints, 1 + events.filter((event) => event.kind === "comma").length)
    if (label.sign > 0) this.praise += points
    else this.blame += points
  }

  private sentences(events: ReadonlyArray<StanceEvent>, above: Owner): void {
    let carry = above
    let structural = above !== NOBODY
    for (let first = 0, i = 0; i <= events.length; i++) {
      const kind = events[i]?.kind
      if (i < events.length && kind !== "stop" && kind !== "question") continue
      if (i > first) {
        const stance = readSentence(events.slice(first, i), kind === "question", {
          text: this.text,
          raw: this.raw,
          lexicon: this.lexicon.source,
          carry,
          structural,
          asked: this.asked
        })
        this.praise += stance.praise
        this.blame += stance.blame
        this.asked = stance.asked
        if (stance.carry !== carry) structural = false
        carry = stance.carry
      }
      first = i + 1
    }
  }
}

/**
 * The sentiment of an answer toward the brand. `raw` is the raw text of `text`, which is needed for its block marks.
 * Takes linear time.
 */
export const sentimentOf = (text: FoldedText, raw: string, hits: ReadonlyArray<Hit>): Sentiment | null => {
  const lexicon = findLexicon(text)
  if (lexicon === undefined) return null
  const events = new EventReader(text, hits, lexicon)
  const reader = new StanceReader(text, raw, lexicon, hits.every((hit) => hit.entity === "brand"))
  for (const block of splitIntoBlocks(text, raw)) reader.block(block, events.read(block.start, block.end))
  const { blame, praise } = reader
  if (praise > 0 && praise >= clearRatio * blame) return "positive"
  return blame > 0 && blame >= clearRatio * praise ? "negative" : "neutral"
}
