/**
 * Draws the terminal output of a command as an SVG. It reads text with ANSI colours from stdin, takes the command line
 * as the first argument, and writes the picture to stdout. `npm run docs:picture` uses it to create
 * docs/images/demo.svg.
 */
import { text } from "node:stream/consumers"

const cell = { width: 8.4, height: 18 }
const margin = { x: 16, top: 12, bottom: 10 }

interface Style {
  readonly bold: boolean
  readonly color: string
}

const plain: Style = { bold: false, color: "#d0d7de" }

/** The codes of "Select Graphic Rendition" that sov prints (ECMA-48 §8.3.117). */
const codes: Readonly<Record<string, Partial<Style>>> = {
  0: plain,
  1: { bold: true },
  22: { bold: false },
  31: { color: "#ff7b72" },
  32: { color: "#7ee787" },
  33: { color: "#e3b341" },
  39: { color: plain.color }
}

interface Run extends Style {
  readonly column: number
  readonly text: string
}

/** Splits a line into pieces of the same style, each with its first column. */
const splitRuns = (line: string): ReadonlyArray<Run> => {
  const runs: Array<Run> = []
  let style = plain
  let column = 0
  // oxlint-disable-next-line no-control-regex -- ANSI sequences begin with ESC
  for (const [, code, piece] of line.matchAll(/\u001b\[(\d+)m|([^\u001b]+)/g)) {
    if (piece !== undefined) {
      runs.push({ ...style, column, text: piece })
      column += piece.length
      continue
    }
    const change = codes[code!]
    if (change === undefined) throw new Error(`no colour for code ${code} in: ${line}`)
    style = { ...style, ...change }
  }
  return runs
}

const formatNumber = (value: number): string => String(Number(value.toFixed(2)))
const escapeXml = (value: string): string =>
  value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\"", "&quot;")

/**
 * Measures a piece of block elements (U+2581 to U+258F) in cells: width from the left, height from the bottom. A bar is
 * one piece; a sparkline has one piece per point.
 */
const measureBlocks = (piece: string): { readonly width: number; readonly height: number } => {
  const code = piece.charCodeAt(piece.length - 1)
  return code <= 0x2588
    ? { width: piece.length, height: (code - 0x2580) / 8 }
    : { width: piece.length - 1 + (0x2590 - code) / 8, height: 1 }
}

/** Draws bars and sparklines as rectangles, because fonts fill a cell with these characters in different ways. */
const drawBlocks = ({ color, column, text: piece }: Run, row: number): ReadonlyArray<string> =>
  [...piece.matchAll(/\u2588+[\u2589-\u258F]?|[\u2581-\u258F]/g)].map(({ 0: characters, index }) => {
    const { height, width } = measureBlocks(characters)
    const full = cell.height - 6
    const x = margin.x + (column + index) * cell.width
    const y = margin.top + row * cell.height + 3 + full * (1 - height)
    return `<rect x="${formatNumber(x)}" y="${formatNumber(y)}" width="${formatNumber(cell.width * width)}" height="${
      formatNumber(full * height)
    }" fill="${color}"/>`
  })

/** Draws the other characters. `textLength` keeps every column in place, whatever the width of the font. */
const drawWords = ({ bold, color, column, text: piece }: Run, row: number): ReadonlyArray<string> =>
  [...piece.matchAll(/[^\s\u2581-\u258F]+(?: [^\s\u2581-\u258F]+)*/g)].map(({ 0: word, index }) => {
    const x = margin.x + (column + index) * cell.width
    const y = margin.top + row * cell.height + 13
    const weight = bold ? " font-weight=\"bold\"" : ""
    return `<text x="${formatNumber(x)}" y="${formatNumber(y)}" textLength="${
      formatNumber(word.length * cell.width)
    }" fill="${color}"${weight}>${escapeXml(word)}</text>`
  })

const renderPicture = (command: string, output: string): string => {
  const lines = [`\u001b[1m$ ${command}\u001b[22m`, ...output.trimEnd().split("\n")].map(splitRuns)
  const columns = Math.max(
    ...lines.map((runs) => runs.reduce((sum, run) => Math.max(sum, run.column + run.text.length), 0))
  )
  const width = formatNumber(2 * margin.x + columns * cell.width)
  const height = formatNumber(margin.top + lines.length * cell.height + margin.bottom)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>Output of ${escapeXml(command)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    "<g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"14\">",
    ...lines.flatMap((runs, row) => runs.flatMap((run) => [...drawBlocks(run, row), ...drawWords(run, row)])),
    "</g>",
    "</svg>",
    ""
  ].join("\n")
}

process.stdout.write(renderPicture(process.argv[2] ?? "sov", await text(process.stdin)))
