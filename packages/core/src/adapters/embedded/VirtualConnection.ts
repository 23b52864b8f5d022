import { Duplex } from "node:stream"
import {
  blankSql,
  forEachFrame,
  FrontendBuffer,
  makeFatalFrame,
  messageType,
  parseListenCommand,
  parseNotificationChannel,
  startupCode,
  STATUS_IDLE
} from "./wireFrames.ts"

/** Limits of one connection. */
export interface ConnectionLimits {
  /** Maximum size of the answer to one group of messages, and of the answers that wait to be read. */
  readonly maxAnswerBytes: number
  /** The longest message that a client may send. */
  readonly maxMessageBytes: number
  /** How long a client may leave a waiting answer unread. */
  readonly stallMs: number
}

/** Maximum bytes of complete messages that are read from a client while its earlier messages run. */
const MAX_AHEAD_BYTES = 1024 * 1024
/**
 * Answers are passed on in pieces of this size, so that with a slow reader most of a long answer stays in this process.
 */
const PIECE_BYTES = 64 * 1024
const formatMebibytes = (bytes: number): string => `${Math.ceil(bytes / 1_048_576)} MiB`

/** What a connection needs from the hub that runs it. */
export interface ConnectionOwner {
  readonly limits: ConnectionLimits
  /** Called when a newer sov asks the owner to end once it is idle. */
  readonly retire: () => void
  /** Called when the connection has input or was disconnected. */
  readonly wake: (connection: VirtualConnection) => void
  /** Whether any connection listens on `channel` (undefined: on any). */
  readonly listens: (channel: string | undefined) => boolean
  /** Passes a notification to the connections that listen on its channel. */
  readonly notify: (channel: string, frame: Buffer) => void
  /** Runs messages in the engine and returns its whole answer, unless that is too large to keep. */
  readonly execute: (bytes: Buffer) => Promise<Buffer | "too large">
}

/**
 * The hub's end of one client: a Postgres connection as a Duplex. It reads whole frames, so that the engine never waits
 * for the rest of one, and tracks the transaction status that the engine reports.
 */
export class VirtualConnection extends Duplex {
  /** Channels that this client listens on. */
  readonly channels = new Set<string>()
  readonly #hub: ConnectionOwner
  readonly #input = new FrontendBuffer()
  #started = false
  #disconnected = false
  #status = STATUS_IDLE
  #ready = true
  /** Set while the client is held back; calling it lets the client send more. */
  #sendOn: (() => void) | undefined
  #stallTimer: NodeJS.Timeout | undefined

  constructor(hub: ConnectionOwner) {
    super({ highWaterMark: 256 * 1024 })
    this.#hub = hub
  }

  /** Whether the client has left or was disconnected, so that its messages must no longer run. */
  get disconnected(): boolean {
    return this.#disconnected
  }

  /**
   * Whether the connection is outside a transaction and between two messages, so that the session can serve another
   * connection.
   */
  get idle(): boolean {
    return this.#ready && this.#status === STATUS_IDLE
  }

  get hasWork(): boolean {
    return !this.#disconnected && this.#input.hasComplete
  }

  /**
   * Runs the complete messages of the input. Returns false if there was nothing to run, or if the client must first
   * read earlier answers. Rejects if the engine failed.
   */
  async runInput(): Promise<boolean> {
    if (this.#isFull) return false
    const bytes = this.#next()
    this.#release()
    if (bytes === undefined) return this.#disconnected
    const toRun = this.#started ? this.#statements(bytes) : this.#startup(bytes)
    if (toRun.length === 0) return true
    this.#ready = false
    this.#answer(await this.#hub.execute(toRun))
    return true
  }

  /** Runs `bytes` for a client that has disconnected. Only the transaction status of the answer is used. */
  async runDiscardingOutput(bytes: Buffer): Promise<void> {
    this.#answer(await this.#hub.execute(bytes))
  }

  /** Passes a notification from any connection to the client. */
  notify(frame: Buffer): void {
    this.#send(frame)
  }

  /** Disconnects the client with a FATAL error. */
  closeWithError(sqlState: string, message: string): void {
    if (this.#disconnected) return
    this.push(makeFatalFrame(sqlState, message))
    this.push(null)
    this.#disconnect()
  }

  #next(): Buffer | undefined {
    try {
      return this.#input.shift()
    } catch {
      return this.#refuse()
    }
  }

  #refuse(): undefined {
    this.closeWithError("08P01", "this is not the Postgres protocol")
  }

  #startup(bytes: Buffer): Buffer {
    const code = bytes.readUInt32BE(4)
    if (code === startupCode.ssl || code === startupCode.gss) {
      this.closeWithError("0A000", "the embedded database has no encryption on its local socket")
      return Buffer.alloc(0)
    }
    if (code === startupCode.retire) this.#hub.retire()
    // A cancel request is only closed: a statement that runs in WASM cannot be interrupted
    if (code === startupCode.retire || code === startupCode.cancel) {
      this.push(null)
      this.#disconnect()
      return Buffer.alloc(0)
    }
    this.#started = true
    return bytes
  }

  #statements(bytes: Buffer): Buffer {
    let end = bytes.length
    let at = 0
    forEachFrame(bytes, (type, frame) => {
      if (type === messageType.terminate && end === bytes.length) end = at
      at += frame.length
      if (at <= end) this.#followListening(type, frame)
    })
    if (end < bytes.length) { // Terminate ends the client, never the engine
      this.push(null)
      this.#disconnect()
    }
    return bytes.subarray(0, end)
  }

  /**
   * Tracks LISTEN and UNLISTEN. One session listens for all connections, so an UNLISTEN is executed only if no other
   * connection listens on the channel.
   */
  #followListening(type: number, frame: Buffer): void {
    const found = parseListenCommand(type, frame)
    if (found === undefined) return
    const { channel, command } = found
    if (command === "listen") {
      if (channel !== undefined) this.channels.add(channel)
      return
    }
    if (channel === undefined) this.channels.clear()
    else this.channels.delete(channel)
    if (this.#hub.listens(channel)) blankSql(type, frame)
  }

  #answer(frames: Buffer | "too large"): void {
    if (frames === "too large") { // its transaction status is lost with it: the hub rolls back
      const { maxAnswerBytes } = this.#hub.limits
      return this.closeWithError(
        "54000",
        `the answer is larger than ${formatMebibytes(maxAnswerBytes)}; ask for it in parts`
      )
    }
    let from = 0
    let at = 0
    forEachFrame(frames, (type, frame) => {
      if (type === messageType.readyForQuery) {
        this.#status = frame[5] ?? 0
        this.#ready = true
      }
      if (type === messageType.notification) {
        this.#send(frames.subarray(from, at))
        from = at + frame.length
        this.#hub.notify(parseNotificationChannel(frame), frame)
      }
      at += frame.length
    })
    this.#send(frames.subarray(from, at))
  }

  get #isFull(): boolean {
    return this.readableLength >= this.readableHighWaterMark
  }

  #send(bytes: Buffer): void {
    if (this.#disconnected) return
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) this.push(bytes.subarray(at, at + PIECE_BYTES))
    // The engine starts an answer only when little output is waiting, so the waiting bytes are notifications
    if (this.readableLength > this.#hub.limits.maxAnswerBytes) this.destroy(new Error("it did not read notifications"))
    else if (this.#isFull) this.#stallTimer ??= this.#watchReading()
  }

  /** Disconnects a client that does not read what waits for it. */
  #watchReading(): NodeJS.Timeout {
    const before = this.readableLength
    return setTimeout(() => {
      if (this.readableLength >= before) this.destroy(new Error("it did not read its answers"))
      else this.#stallTimer = this.#watchReading()
    }, this.#hub.limits.stallMs)
  }

  #release(): void {
    const sendOn = this.#sendOn
    this.#sendOn = undefined
    sendOn?.()
  }

  #disconnect(): void {
    if (this.#disconnected) return
    this.#disconnected = true
    this.#release()
    this.#hub.wake(this)
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    if (!this.#disconnected) {
      try {
        this.#input.push(chunk)
        this.#hub.wake(this)
      } catch {
        this.#refuse()
      }
    }
    const { hasComplete, length } = this.#input
    const { maxMessageBytes } = this.#hub.limits
    if (this.#disconnected) done()
    else if (!hasComplete && length > maxMessageBytes) {
      this.closeWithError("54000", `a message is larger than ${formatMebibytes(maxMessageBytes)}`)
      done()
    } else if (hasComplete && length > MAX_AHEAD_BYTES) this.#sendOn = done
    else done()
  }

  override _read(): void {
    clearTimeout(this.#stallTimer)
    this.#stallTimer = undefined
    queueMicrotask(() => { // what is read now still counts as waiting
      if (this.hasWork) this.#hub.wake(this)
    })
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#disconnect()
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#stallTimer)
    this.#disconnect()
    done(error)
  }
}
