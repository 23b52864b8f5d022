/** Extracts visible text (M1–M5): the text of the rendered answer, leaf by leaf, with offsets into the raw answer. */
import { scanBlocks } from "./blocks.ts"
import { InlineScanner } from "./inline.ts"
import { BLOCK_BREAK, OffsetWriter } from "./offsetText.ts"

/**
 * Reads the visible text of a raw answer, which may be any UTF-16 string, even malformed or hostile. Block breaks
 * separate leaf blocks; separators replace addresses and citation marks. Never throws; takes linear time.
 *
 * @param isName tells whether a link's label is a registered name, which counts even if it looks like an address (M3)
 */
export const visibleText = (raw: string, isName: (label: string) => boolean): OffsetWriter => {
  const { content, leaves, definitions } = scanBlocks(raw)
  const out = new OffsetWriter(content.length + leaves.length + 16)
  const inline = new InlineScanner(content, out, definitions, isName)
  for (const leaf of leaves) {
    inline.scan(leaf)
    const edge = content.to[leaf.end - 1]!
    out.push(BLOCK_BREAK, edge, edge)
  }
  inline.release()
  content.release()
  return out
}
