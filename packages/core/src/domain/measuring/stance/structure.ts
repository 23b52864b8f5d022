/**
 * Finds the kind of each block and its owner, which is the entity that it describes. Headings, labelled lists and table
 * rows name their owner only once.
 */
import { BLOCK_BREAK, type OffsetText, SPACE } from "../offsetText.ts"

/** The entities that a statement describes, as bits. A group such as "A and B" can have both. */
export type Owner = number
/** Owner of statements about no tracked entity. */
export const NOBODY: Owner = 0
/** Bit for any competitor. */
export const COMPETITOR: Owner = 1
/** Bit for the tracked brand. */
export const BRAND: Owner = 2

/** One leaf block of the folded text. */
export interface Block {
  readonly start: number
  readonly end: number
  readonly kind: "heading" | "title" | "item" | "cell" | "text"
  /** Depth in the outline; a smaller number is closer to the top. */
  readonly level: number
  /** Column of a table cell; 0 for other blocks. */
  readonly column: number
  /** Whether the block is the first cell of its row. */
  readonly opensRow: boolean
  /** Whether the block is in the first row of its table. */
  readonly inHeader: boolean
}

const LEVEL_TITLE = 7
/** Level of paragraphs. A paragraph that introduces a list owns its items. */
const LEVEL_TEXT = 8
const LEVEL_ITEM = 10

/** How many units of raw text before a block are searched for its mark. */
const maxMarkLength = 200
const titleLength = 60

const headingMark = /^[\s>]*(#{1,6})\s/
const itemMark = /^([\s>]*)(?:[-*+\u2022]|(\d{1,9}[.)]))\s/

type Shape = Pick<Block, "kind" | "level">

const readBlockShape = (mark: string, isBold: boolean): Shape => {
  const heading = headingMark.exec(mark)
  if (heading !== null) return { kind: "heading", level: heading[1]!.length }
  const item = itemMark.exec(mark)
  // A bullet below a number with the same indentation belongs to the number
  if (item !== null) return { kind: "item", level: LEVEL_ITEM + 2 * item[1]!.length + (item[2] === undefined ? 1 : 0) }
  if (isBold) return { kind: "title", level: LEVEL_TITLE }
  // An indented paragraph continues the item above it
  return { kind: "text", level: /^\s{2,}/.test(mark) ? Infinity : LEVEL_TEXT }
}

const countCharacter = (text: string, char: string): number => text.split(char).length - 1

/** Divides folded text at its block breaks; reads each block's mark from the raw text before it. Linear. */
export const splitIntoBlocks = (text: OffsetText, raw: string): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  let before = 0
  let row = -1
  for (let start = 0, i = 0; i <= text.length; i++) {
    if (i < text.length && text.units[i] !== BLOCK_BREAK) continue
    if (i > start) {
      // Only text that is not folded yet can have spaces here
      while (start < i - 1 && text.units[start] === SPACE) start++
      const at = text.from[start]!
      const gap = raw.slice(Math.max(before, at - maxMarkLength), Math.max(before, at))
      const sameLine = blocks.length > 0 && !/[\n\r]/.test(gap)
      const mark = gap.slice(Math.max(gap.lastIndexOf("\n"), gap.lastIndexOf("\r")) + 1)
      const last = blocks.at(-1)
      const shared = { start, end: i }
      if (mark.trimStart().startsWith("|") || (sameLine && gap.includes("|"))) {
        const opensRow = !sameLine || last?.kind !== "cell"
        if (opensRow) row = last?.kind === "cell" && countCharacter(gap, "\n") <= 2 ? row + 1 : 0
        const column = opensRow ? Math.max(0, countCharacter(mark, "|") - 1) : last.column + countCharacter(gap, "|")
        blocks.push({ ...shared, kind: "cell", level: LEVEL_ITEM, column, opensRow, inHeader: row === 0 })
      } else {
        const after = raw.slice(text.to[i - 1]! - 1, text.to[i - 1]! + 3)
        const isBold = i - start <= titleLength && /^\s*(?:\*\*|__)/.test(mark) && /\*\*:?|__:?/.test(after)
        blocks.push({ ...shared, ...readBlockShape(mark, isBold), column: 0, opensRow: false, inHeader: false })
      }
      before = text.to[i - 1]!
    }
    start = i + 1
  }
  return blocks
}

/** Tracks the outline up to the current block: the owners of the headings and items that contain it. */
export class Outline {
  private readonly scopes: Array<{ readonly level: number; readonly owner: Owner }> = []
  private columns = new Map<number, Owner>()
  private row: Owner = NOBODY

  /** The owner of statements without a name in `block`. Call this once per block, in order. */
  ownerOf(block: Block): Owner {
    if (block.kind === "cell") {
      if (block.opensRow) this.row = NOBODY
      if (block.inHeader && block.opensRow) this.columns = new Map()
      return this.columns.get(block.column) ?? this.row
    }
    while (this.scopes.length > 0 && this.scopes.at(-1)!.level >= block.level) this.scopes.pop()
    return this.scopes.at(-1)?.owner ?? NOBODY
  }

  /** Sets `named` as the owner of the blocks below `block`; `named` is `NOBODY` if it names no entity. */
  enter(block: Block, named: Owner, introduces: boolean): void {
    if (block.kind === "cell") {
      if (block.inHeader && block.column > 0 && named !== NOBODY) this.columns.set(block.column, named)
      if (block.opensRow) this.row = named
      return
    }
    if (block.level === Infinity || (block.kind === "text" && !introduces)) return
    this.scopes.push({ level: block.level, owner: named === NOBODY ? this.scopes.at(-1)?.owner ?? NOBODY : named })
  }
}
