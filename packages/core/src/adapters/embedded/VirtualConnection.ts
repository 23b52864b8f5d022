import { Duplex } from "node:stream"
import {
  blankSql,
  eachFrame,
  fatalFrame,
  FrontendBuffer,
  listenCommand,
  messageType,
  notificationChannel,
  startupCode,
  STATUS_IDLE
} from "./wireFrames.ts"

/** What a connection asks of the hub that runs it. */
export interface ConnectionHub {
  /** Tells that the connection has input, or has left. */
  readonly poke: (connection: VirtualConnection) => void
  /** Whether any connection listens on `channel` (undefined: on any). */
  readonly listens: (channel: string | undefined) => boolean
  /** Hands a notification to those who listen on its channel. */
  readonly notify: (channel: string, frame: Buffer) => void
  /** Runs messages in the engine and returns all it answered. */
  readonly execute: (bytes: Buffer) => Promise<Buffer>
}

/**
 * One client's end of the hub: a Postgres connection as a Duplex. It reads whole frames, so that the engine never waits
 * for the rest of one, and follows the transaction status that the engine reports.
 */
export class VirtualConnection extends Duplex {
  /** Channels this client listens on. */
  readonly channels = new Set<string>()
  readonly #hub: ConnectionHub
  readonly #input = new FrontendBuffer()
  #started = false
  #left = false
  #status = STATUS_IDLE
  #ready = true

  constructor(hub: ConnectionHub) {
    super({ highWaterMark: 256 * 1024 })
    this.#hub = hub
  }

  /** The client is gone or sent away: it must not be run any more. */
  get left(): boolean {
    return this.#left
  }

  /** Outside a transaction and between two messages: the session may serve another. */
  get idle(): boolean {
    return this.#ready && this.#status === STATUS_IDLE
  }

  get hasWork(): boolean {
    return !this.#left && this.#input.hasComplete
  }

  /** Runs what is complete of the input. False when there was nothing to run. Rejects when the engine failed. */
  async runInput(): Promise<boolean> {
    const bytes = this.#input.shift()
    if (bytes === undefined) return false
    const toRun = this.#started ? this.#statements(bytes) : this.#startup(bytes)
    if (toRun.length === 0) return true
    this.#ready = false
    this.#answer(await this.#hub.execute(toRun))
    return true
  }

  /** Gives the engine `bytes` on behalf of a client that has left, and follows only its status. */
  async runUnheard(bytes: Buffer): Promise<void> {
    this.#answer(await this.#hub.execute(bytes))
  }

  /** Hands over a notification of another connection or of this one. */
  notify(frame: Buffer): void {
    if (!this.#left) this.push(frame)
  }

  /** Sends the client away with a FATAL error. */
  dismiss(sqlState: string, message: string): void {
    if (this.#left) return
    this.push(fatalFrame(sqlState, message))
    this.push(null)
    this.#leave()
  }

  #startup(bytes: Buffer): Buffer {
    const code = bytes.readUInt32BE(4)
    if (code === startupCode.ssl || code === startupCode.gss) {
      this.dismiss("0A000", "the embedded database has no encryption on its local socket")
      return Buffer.alloc(0)
    }
    if (code === startupCode.cancel) { // a running statement cannot be interrupted in WASM
      this.push(null)
      this.#leave()
      return Buffer.alloc(0)
    }
    this.#started = true
    return bytes
  }

  #statements(bytes: Buffer): Buffer {
    let end = bytes.length
    let at = 0
    eachFrame(bytes, (type, frame) => {
      if (type === messageType.terminate && end === bytes.length) end = at
      at += frame.length
      if (at <= end) this.#followListening(type, frame)
    })
    if (end < bytes.length) { // Terminate ends the client, never the engine
      this.push(null)
      this.#leave()
    }
    return bytes.subarray(0, end)
  }

  /** One session listens for all: an UNLISTEN reaches it only when nobody else listens there. */
  #followListening(type: number, frame: Buffer): void {
    const found = listenCommand(type, frame)
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

  #answer(frames: Buffer): void {
    const own: Array<Buffer> = []
    eachFrame(frames, (type, frame) => {
      if (type === messageType.notification) {
        this.#hub.notify(notificationChannel(frame), frame)
        return
      }
      if (type === messageType.readyForQuery) {
        this.#status = frame[5] ?? 0
        this.#ready = true
      }
      own.push(frame)
    })
    if (own.length > 0 && !this.#left) this.push(own.length === 1 ? own[0] : Buffer.concat(own))
  }

  #leave(): void {
    if (this.#left) return
    this.#left = true
    this.#hub.poke(this)
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    if (!this.#left) {
      try {
        this.#input.push(chunk)
        this.#hub.poke(this)
      } catch {
        this.dismiss("08P01", "this is not the Postgres protocol")
      }
    }
    done()
  }

  override _read(): void {}

  override _final(done: (error?: Error | null) => void): void {
    this.#leave()
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#leave()
    done(error)
  }
}
