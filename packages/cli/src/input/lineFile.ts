/** Reads text files line by line, plain or gzip, without keeping the file in memory. */
import { createReadStream } from "node:fs"
import { createGunzip } from "node:zlib"

const lineFeed = 0x0a

export interface Line {
  readonly text: string
  /** Offset of the line's first byte in the unpacked text. */
  readonly at: number
}

/** How a file is read. */
export interface LineOptions {
  readonly gzip: boolean
  /** Maximum length of a line, in bytes. */
  readonly maxLineBytes: number
  /**
   * Creates the error for a line that is too long or, with `mustEnd`, for a last line that does not end with a line
   * feed.
   */
  readonly fault: (what: string) => Error
  readonly mustEnd: boolean
  /** Called with the bytes of the file as they are read. */
  readonly onBytes?: (bytes: Uint8Array) => void
}

/** The lines of the file, without their line feeds, read on demand. */
export async function* linesOf(
  file: string,
  { fault, gzip, maxLineBytes, mustEnd, onBytes }: LineOptions
): AsyncGenerator<Line> {
  const source = createReadStream(file)
  const unpacked = gzip ? createGunzip() : null
  if (unpacked !== null) source.on("error", (error) => unpacked.destroy(error))
  if (onBytes !== undefined) source.on("data", (chunk) => onBytes(chunk as Buffer))
  let begun: Array<Buffer> = []
  let length = 0
  let at = 0
  try {
    for await (const chunk of (unpacked === null ? source : source.pipe(unpacked)) as AsyncIterable<Buffer>) {
      let from = 0
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
        const line = Buffer.concat([...begun, chunk.subarray(from, end)])
        yield { text: line.toString("utf8"), at }
        at += line.length + 1
        begun = []
        length = 0
        from = end + 1
      }
      begun.push(chunk.subarray(from))
      length += chunk.length - from
      if (length > maxLineBytes) throw fault("a line has no end")
    }
    if (length > 0) {
      if (mustEnd) throw fault("its last line has no end")
      yield { text: Buffer.concat(begun).toString("utf8"), at }
    }
  } finally {
    source.destroy()
  }
}
