/**
 * A client with little overhead: raw sockets, each of which sends its next request when the previous response has
 * arrived.
 */
import { connect } from "node:net"

/** The measurements of a round. */
export interface Round {
  readonly requests: number
  readonly seconds: number
  /** Latency of each request in milliseconds, sorted. */
  readonly latencies: ReadonlyArray<number>
}

const contentLength = (head: string): number => Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)

const lastChunk = Buffer.from("\r\n0\r\n\r\n")

/**
 * Sends `request`, or the result of calling it, over `connections` sockets until `enough`; rejects on any other status
 * than `status`.
 */
export const load = async (
  port: number,
  request: string | (() => string),
  status: number,
  connections: number,
  enough: (requests: number, elapsedMs: number) => boolean
): Promise<Round> => {
  const begun = performance.now()
  const latencies: Array<number> = []
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true })
      let held: Array<Buffer> = []
      let size = 0
      let wanted = -1
      let sent = 0
      const next = () => {
        sent = performance.now()
        socket.write(typeof request === "string" ? request : request())
      }
      socket.on("connect", next).on("error", reject).on("data", (chunk: Buffer) => {
        held.push(chunk)
        size += chunk.length
        if (wanted < 0) {
          const text = Buffer.concat(held).toString("latin1")
          const end = text.indexOf("\r\n\r\n")
          if (end < 0) return
          if (!text.startsWith(`HTTP/1.1 ${status} `)) return reject(new Error(text.slice(0, 600)))
          const head = text.slice(0, end)
          wanted = /\r\ntransfer-encoding: chunked/i.test(head)
            ? Number.POSITIVE_INFINITY
            : end + 4 + contentLength(head)
        }
        const over = wanted === Number.POSITIVE_INFINITY
          ? Buffer.concat(held).subarray(-lastChunk.length).equals(lastChunk)
          : size >= wanted
        if (!over) return
        const now = performance.now()
        latencies.push(now - sent)
        held = []
        size = 0
        wanted = -1
        if (!enough(latencies.length, now - begun)) return next()
        socket.destroy()
        resolve()
      })
    })
  await Promise.all(Array.from({ length: connections }, one))
  return {
    requests: latencies.length,
    seconds: (performance.now() - begun) / 1000,
    latencies: latencies.toSorted((a, b) => a - b)
  }
}
