/**
 * Reads the frames of the Postgres wire protocol 3.0 that the hub needs
 * (https://www.postgresql.org/docs/current/protocol-message-formats.html): one type byte, then an Int32 length that
 * counts itself; a startup packet has no type byte.
 */

/** Message types, in both directions. */
export const messageType = {
  query: 0x51,
  parse: 0x50,
  sync: 0x53,
  terminate: 0x58,
  error: 0x45,
  notification: 0x41,
  readyForQuery: 0x5a
} as const

/** Status byte of ReadyForQuery outside a transaction. */
export const STATUS_IDLE = 0x49

/**
 * Codes that stand in for the protocol version in a startup packet. `retire` belongs to sov and every version keeps it:
 * a newer client asks the owner to end once no client is connected.
 */
export const startupCode = { cancel: 80877102, ssl: 80877103, gss: 80877104, retire: 80877199 } as const

/** The packet that asks an owner of an older sov to end. */
export const makeRetirePacket = (): Buffer => {
  const packet = Buffer.alloc(8)
  packet.writeUInt32BE(8, 0)
  packet.writeUInt32BE(startupCode.retire, 4)
  return packet
}

/** Bind, Close, Describe, Execute, Flush, Parse, Query, Sync, Terminate, CopyData, CopyDone, CopyFail. */
const frontendTypes = new Set(Buffer.from("BCDEHPQSXdcf"))

/** Parse, Bind, Describe, Execute and Close: the engine answers them only at the next Sync or Flush. */
const silentTypes = new Set(Buffer.from("PBDEC"))

/** Thrown when a client does not speak the protocol. */
class MalformedFrame extends Error {}

/** Calls `on` for every complete frame and returns the rest. Throws `MalformedFrame` for an impossible length. */
export const forEachFrame = (bytes: Buffer, on: (type: number, frame: Buffer) => void): Buffer => {
  let at = 0
  while (bytes.length - at >= 5) {
    const length = bytes.readUInt32BE(at + 1)
    if (length < 4) throw new MalformedFrame("a frame shorter than its own length field")
    if (bytes.length - at < 1 + length) break
    on(bytes[at] ?? 0, bytes.subarray(at, at + 1 + length))
    at += 1 + length
  }
  return bytes.subarray(at)
}

/**
 * Collects the bytes that a client sends and returns complete frames: first the startup packet alone, then everything
 * up to the next Query or Sync, after which the engine owes no more answers. Until one of those arrives, it returns the
 * frames that the engine can already answer. Chunks are joined only when a frame is complete, so that the cost of a
 * large frame is linear.
 */
export class FrontendBuffer {
  #chunks: Array<Buffer> = []
  #length = 0
  #wanted = 4
  #started = false
  /** Bytes of complete frames that can be returned now. */
  #complete = 0
  /** Bytes of the complete frames after those, which wait for a frame that makes the engine answer. */
  #silent = 0
  /**
   * Where the frames that end a group end, and how many bytes have been returned, both counted from the connection's
   * first byte.
   */
  readonly #ends: Array<number> = []
  #taken = 0

  get hasComplete(): boolean {
    return this.#complete > 0
  }

  get length(): number {
    return this.#length
  }

  /** Adds received bytes. Throws `MalformedFrame`. */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    if (this.#length >= this.#wanted) this.#measure()
  }

  /** The next complete frames; undefined if there are no complete frames. Throws `MalformedFrame`. */
  shift(): Buffer | undefined {
    if (this.#complete === 0) return undefined
    const end = this.#ends.shift()
    const size = end === undefined ? this.#complete : end - this.#taken
    const all = this.#joined()
    const rest = all.subarray(size)
    this.#chunks = rest.length === 0 ? [] : [rest]
    this.#length = rest.length
    this.#complete -= size
    this.#wanted -= size
    this.#taken += size
    if (!this.#started) {
      this.#started = true
      this.#measure()
    }
    return all.subarray(0, size)
  }

  #joined(): Buffer {
    const [only] = this.#chunks
    if (only !== undefined && this.#chunks.length === 1) return only
    const all = Buffer.concat(this.#chunks, this.#length)
    this.#chunks = [all]
    return all
  }

  #measure(): void {
    const all = this.#joined()
    if (!this.#started) {
      this.#wanted = all.length >= 4 ? all.readUInt32BE(0) : 4
      if (all.length >= 4 && (this.#wanted < 8 || this.#wanted > 10_000)) throw new MalformedFrame("no startup packet")
      if (all.length >= this.#wanted) this.#complete = this.#wanted
      return
    }
    const checkType = (type: number): void => {
      if (!frontendTypes.has(type)) throw new MalformedFrame(`no frontend message has type ${type}`)
    }
    const rest = forEachFrame(all.subarray(this.#complete + this.#silent), (type, frame) => {
      checkType(type)
      this.#silent += frame.length
      if (silentTypes.has(type)) return
      this.#complete += this.#silent
      this.#silent = 0
      if (type === messageType.query || type === messageType.sync) this.#ends.push(this.#taken + this.#complete)
    })
    if (rest[0] !== undefined) checkType(rest[0])
    this.#wanted = this.#complete + this.#silent + (rest.length >= 5 ? 1 + rest.readUInt32BE(1) : 5)
  }
}

/** An ErrorResponse of severity FATAL. */
export const makeFatalFrame = (sqlState: string, message: string): Buffer =>
  makeFrame(messageType.error, Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0M${message}\0\0`))

/** Ends an unfinished extended query, then the transaction if there is one. */
export const makeRollbackFrames = (): Buffer =>
  Buffer.concat([makeFrame(messageType.sync, Buffer.alloc(0)), makeFrame(messageType.query, Buffer.from("ROLLBACK\0"))])

/** A frame with this type and body. */
const makeFrame = (type: number, body: Buffer): Buffer => {
  const out = Buffer.alloc(5 + body.length)
  out[0] = type
  out.writeUInt32BE(4 + body.length, 1)
  body.copy(out, 5)
  return out
}

/** What a Parse or Query frame says about listening; `channel` undefined means all channels. */
export interface ListenCommand {
  readonly command: "listen" | "unlisten"
  readonly channel: string | undefined
}

const listenPattern = /^\s*(un)?listen\s+(?:"((?:[^"]|"")+)"|([^"\s;]+))/i

const findSqlRange = (type: number, bytes: Buffer): readonly [number, number] => {
  const from = type === messageType.parse ? bytes.indexOf(0, 5) + 1 : 5
  return [from, bytes.indexOf(0, from)]
}

/** Reads LISTEN and UNLISTEN; undefined for every other frame. */
export const parseListenCommand = (type: number, bytes: Buffer): ListenCommand | undefined => {
  if (type !== messageType.parse && type !== messageType.query) return undefined
  const [from, to] = findSqlRange(type, bytes)
  const match = listenPattern.exec(bytes.toString("utf8", from, Math.min(to, from + 200)))
  if (match === null) return undefined
  const command = match[1] === undefined ? "listen" : "unlisten"
  if (match[3] === "*") return { command, channel: undefined }
  return { command, channel: match[2]?.replaceAll("\"\"", "\"") ?? match[3]?.toLowerCase() }
}

/** Blanks the SQL of a Parse or Query frame in place: Postgres then sees an empty statement. */
export const blankSql = (type: number, bytes: Buffer): void => {
  bytes.fill(0x20, ...findSqlRange(type, bytes))
}

/** The channel of a NotificationResponse. */
export const parseNotificationChannel = (bytes: Buffer): string => bytes.toString("utf8", 9, bytes.indexOf(0, 9))
