/** Creates a ZIP file as a stream: only the current piece is in memory, however large the files are. */
import { Effect, Stream } from "effect"
import { Readable } from "node:stream"

export interface ZipEntry<E, R> {
  readonly name: string
  /** The bytes of the entry, read after all earlier entries. */
  readonly content: Stream.Stream<Uint8Array, E, R>
}

const toError = (error: unknown): Error => error instanceof Error ? error : new Error(String(error))

/** Answers compress well at every level; higher levels save a tenth of the size but take several times as long. */
const compressionLevel = 1

/**
 * Packs the entries in order, as they are read; `at` is their date. If an entry fails, the ZIP fails without a
 * directory, so no program mistakes it for complete. If the reader stops, the entries are no longer read.
 */
export const zipStream = <E, R>(
  entries: ReadonlyArray<ZipEntry<E, R>>,
  at: Date
): Stream.Stream<Uint8Array, Error, R> =>
  Stream.unwrap(Effect.gen(function*() {
    const { ZipFile } = yield* Effect.promise(() => import("yazl"))
    const context = yield* Effect.context<R>()
    const reading: { readable: Readable | null } = { readable: null }
    const zip = yield* Effect.acquireRelease(
      Effect.sync(() => new ZipFile()),
      ({ outputStream }) =>
        Effect.sync(() => {
          reading.readable?.destroy()
          ;(outputStream as Readable).destroy()
        })
    )
    const output = zip.outputStream as Readable
    zip.on("error", (error) => output.destroy(toError(error)))
    for (const { content, name } of entries) {
      zip.addReadStreamLazy(name, { mtime: at, compressionLevel }, (give) => {
        const readable = Readable.from(Stream.toAsyncIterableWith(content, context))
        // yazl leaves read errors to the program that opened the stream
        readable.on("error", (error) => output.destroy(toError(error)))
        reading.readable = readable
        give(null, readable)
      })
    }
    zip.end()
    return Stream.fromAsyncIterable(output as AsyncIterable<Uint8Array>, toError)
  }))
