/** Reads log files as streams of bytes. The first bytes tell whether a file is gzip or plain; "-" is stdin. */
import { Effect, Stream } from "effect"
import { createReadStream, statSync } from "node:fs"
import { pipeline, Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import { CliError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { makeUnreadableError } from "../../input/unreadable.ts"

const chunkSize = 262_144

const logError = (file: string) => (error: unknown): CliError => {
  const { code = "error" } = error as NodeJS.ErrnoException
  if (code.startsWith("Z_")) {
    return new CliError(
      "log-damaged",
      exitCodes.partial,
      `${file} is damaged or cut short: its gzip data ends with an error`,
      "what could be read is counted; import the whole file when there is one: nothing is counted twice"
    )
  }
  return makeUnreadableError(file, error, "- reads from stdin")
}

/**
 * Size of the file in bytes, before unpacking; null if it has none (stdin, pipes). Fails if the file does not exist.
 */
export const readLogSize = (file: string): Effect.Effect<number | null, CliError> =>
  file === "-" ? Effect.succeed(null) : Effect.try({
    try: () => {
      const stats = statSync(file)
      if (stats.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" })
      return stats.isFile() ? stats.size : null
    },
    catch: logError(file)
  })

/** The raw bytes as they arrive. The first piece has at least two bytes, unless the file is shorter. */
async function* pieces(file: string, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  const source: AsyncIterable<Buffer> = file === "-"
    ? process.stdin
    : createReadStream(file, { highWaterMark: chunkSize })
  let begin: Buffer | null = Buffer.alloc(0)
  for await (const piece of source) {
    onRead(piece.length)
    if (begin === null) yield piece
    else {
      begin = Buffer.concat([begin, piece])
      if (begin.length < 2) continue
      yield begin
      begin = null
    }
  }
  if (begin !== null && begin.length > 0) yield begin
}

async function* unpacked(file: string, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  const raw = pieces(file, onRead)
  const { value: first } = await raw.next()
  if (first === undefined) return
  async function* all(): AsyncGenerator<Buffer> {
    yield first as Buffer
    yield* raw
  }
  if (first[0] !== 0x1f || first[1] !== 0x8b) return yield* all()
  const gunzip = createGunzip({ chunkSize })
  // The loop below receives errors
  pipeline(Readable.from(all()), gunzip, () => undefined)
  for await (const piece of gunzip) yield piece as Buffer
}

/** The unpacked bytes of the log. `onRead` receives the number of bytes read from the file itself. */
export const readLogBytes = (file: string, onRead: (bytes: number) => void): Stream.Stream<Uint8Array, CliError> =>
  Stream.suspend(() => Stream.fromAsyncIterable(unpacked(file, onRead), logError(file)))
