/** Decodes text files that spreadsheets write: UTF-8 with or without a byte order mark, or UTF-16. */

/** Number of bytes that are read to detect the encoding of a file without a byte order mark. */
const sampleBytes = 4096

const hasMark = (bytes: Uint8Array, ...mark: ReadonlyArray<number>): boolean =>
  mark.every((byte, n) => bytes[n] === byte)

/** Detects the encoding from the first bytes. Latin text in UTF-16 has a zero in every other byte. */
const detectEncoding = (bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" => {
  if (hasMark(bytes, 0xff, 0xfe)) return "utf-16le"
  if (hasMark(bytes, 0xfe, 0xff)) return "utf-16be"
  const zeros = [0, 0]
  const sample = bytes.subarray(0, sampleBytes)
  sample.forEach((byte, n) => byte === 0 && zeros[n % 2]!++)
  const [high, low] = [zeros[0]!, zeros[1]!].map((count) => count / Math.max(1, sample.length / 2)) as [number, number]
  return low > 0.7 && high < 0.1 ? "utf-16le" : high > 0.7 && low < 0.1 ? "utf-16be" : "utf-8"
}

/** Creates a decoder for a file that is read in pieces. Invalid bytes become U+FFFD. */
export const makeFileDecoder = () => {
  let decoder: InstanceType<typeof TextDecoder> | null = null
  let begin = new Uint8Array(0)
  const start = (bytes: Uint8Array): string => {
    decoder = new TextDecoder(detectEncoding(bytes))
    return decoder.decode(bytes, { stream: true })
  }
  return {
    /** Decodes the next piece up to its last whole character. */
    push: (bytes: Uint8Array): string => {
      if (decoder !== null) return decoder.decode(bytes, { stream: true })
      begin = Buffer.concat([begin, bytes])
      return begin.length < sampleBytes ? "" : start(begin)
    },
    /** Decodes the rest. */
    end: (): string => {
      const text = decoder === null ? start(begin) : ""
      return text + decoder!.decode()
    }
  }
}
