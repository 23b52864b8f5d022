import { Effect, Stream } from "effect"
import { type HttpServerRequest, Multipart } from "effect/http"
import { PageRefused } from "./PageRefused.ts"

const maxMebibytes = 64

const tooLarge = new PageRefused({
  status: 413,
  words: `Files can have up to ${maxMebibytes} MB. The command on the server accepts larger files.`
})
const unreadable = new PageRefused({
  status: 400,
  words: "The file was incomplete or could not be read. Upload it again."
})

// The parser would truncate a file at its own limit without an error, so the size is checked below
const limits = Multipart.limitsServices({
  maxParts: 4,
  maxFileSize: `${2 * maxMebibytes} MiB`,
  maxTotalSize: `${2 * maxMebibytes} MiB`
})

/** The bytes of an uploaded file as they arrive; the file is not stored. Empty if no file was chosen. */
export const readUpload = (
  request: HttpServerRequest.HttpServerRequest
): Stream.Stream<Uint8Array, PageRefused> =>
  request.multipartStream.pipe(
    Stream.filter(Multipart.isFile),
    Stream.take(1),
    Stream.flatMap(({ content }) => content),
    Stream.mapError(() => unreadable),
    Stream.mapAccumEffect(() => 0, (before, bytes) => {
      const size = before + bytes.length
      return size > maxMebibytes * 2 ** 20 ? Effect.fail(tooLarge) : Effect.succeed([size, [bytes]] as const)
    }),
    Stream.provideContext(limits)
  )
