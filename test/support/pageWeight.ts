/** The cost of a page on a browser's first visit: the page itself and everything that it loads. */
import { request } from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"

/** One request of the visit. */
export interface Loaded {
  readonly path: string
  readonly status: number
  /** Size of headers and body in bytes, as sent. */
  readonly sent: number
  readonly encoding: string
  /** The body as sent, and decompressed. */
  readonly packed: Uint8Array
  readonly body: string
  /** When the first part of the body arrived (`performance.now`). */
  readonly begunAt: number
}

const unpack = (encoding: string, bytes: Uint8Array): string =>
  Buffer.from(encoding === "gzip" ? gunzipSync(bytes) : encoding === "br" ? brotliDecompressSync(bytes) : bytes)
    .toString()

/** Loads one address, and nothing that its page names. */
export const load = (base: string, path: string, cookie: string): Promise<Loaded> =>
  new Promise((resolve, reject) => {
    // Over plain http, browsers accept no brotli, except from this machine
    const headers = { accept: "text/html", "accept-encoding": "gzip, deflate", cookie }
    request(new URL(path, base), { headers }, (response) => {
      const chunks: Array<Buffer> = []
      let begunAt = 0
      response.on("data", (chunk: Buffer) => {
        if (chunks.length === 0) begunAt = performance.now()
        chunks.push(chunk)
      }).on("error", reject).on("end", () => {
        const packed = Buffer.concat(chunks)
        const encoding = response.headers["content-encoding"] ?? "identity"
        // Names followed by ": ", values by a line break
        const head = response.rawHeaders.reduce(
          (total, part) => total + part.length + 2,
          "HTTP/1.1 200 OK\r\n\r\n".length
        )
        resolve({
          path,
          status: response.statusCode ?? 0,
          sent: head + packed.length,
          encoding,
          packed,
          body: unpack(encoding, packed),
          begunAt
        })
      })
    }).on("error", reject).end()
  })

/** The addresses that a page loads automatically. */
const listLoaded = (html: string): ReadonlyArray<string> => [
  ...new Set(
    [...html.matchAll(
      /<(?:link|script|img|iframe|source|video|audio|embed|object|use)\b[^>]*?\s(?:href|src|data)="([^"]+)"/g
    )]
      .map(([, address]) => address!)
  )
]

/**
 * Loads a page with an empty cache, and everything it needs; the page is first in the result. Fails if a part is
 * missing, or if a style sheet would load more.
 */
export const loadPage = async (base: string, path: string, cookie: string): Promise<ReadonlyArray<Loaded>> => {
  const page = await load(base, path, cookie)
  const rest = await Promise.all(listLoaded(page.body).map((address) => load(base, address, "")))
  const all = [page, ...rest]
  for (const { body, path, status } of all) {
    if (status !== 200) throw new Error(`${path} answered ${status}`)
    const further = /@import|url\((?!["']?(?:#|data:))/.exec(path.endsWith(".css") ? body : "")
    if (further !== null) throw new Error(`${path} loads more: ${body.slice(further.index, further.index + 80)}`)
  }
  return all
}

export const sumSent = (loaded: ReadonlyArray<Loaded>): number => loaded.reduce((total, { sent }) => total + sent, 0)
