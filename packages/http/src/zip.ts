/** A ZIP file as a stream: what is in memory is the piece that is being sent, however large the files are. */
import { Effect, Stream } from "effect"
import { Readable } from "node:stream"

export interface ZipEntry<E, R> {
  readonly name: string
  /** Read when the entries before it have been. */
  readonly content: Stream.Stream<Uint8Array, E, R>
}

const toError = (error: unknown): Error => error instanceof Error ? error : new Error(String(error))

/** Answers deflate well at every level; the next ones make a file a tenth smaller and take several times as long. */
const compressionLevel = 1

/**
 * Packs the entries one after the other as they are read; `at` is when they were made. It fails as they do, and then
 * the file has no directory, so that no program takes it for whole. A reader that stops ends what is being read.
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
        // yazl leaves the errors of what it reads to the program that opened it
        readable.on("error", (error) => output.destroy(toError(error)))
        reading.readable = readable
        give(null, readable)
      })
    }
    zip.end()
    return Stream.fromAsyncIterable(output as AsyncIterable<Uint8Array>, toError)
  }))
