/**
 * Many Postgres connections over PGlite's single session.
 *
 * A connection holds the session from its first message until the engine reports that it is outside a transaction, so
 * transactions never interleave; the others wait. If a client disconnects or is idle too long, its transaction is
 * rolled back. All connections share session state (SET, temporary tables, advisory locks).
 */
import type { Duplex } from "node:stream"
import { type ConnectionLimits, type ConnectionOwner, VirtualConnection } from "./VirtualConnection.ts"
import { makeRollbackFrames } from "./wireFrames.ts"

/** What the hub needs of PGlite. */
export interface ProtocolEngine {
  readonly execProtocolRawStream: (
    message: Uint8Array,
    options: { readonly onRawData: (data: Uint8Array) => void }
  ) => Promise<void>
}

export interface MultiplexerOptions {
  /** How long a transaction may hold the session without sending a message, in milliseconds. */
  readonly idleInTransactionMs: number
  /** Called once when the engine has failed: it can no longer be trusted, and all connections have been destroyed. */
  readonly onFatal: (error: Error) => void
  /** Called when a newer sov asks the owner to end once it is idle. */
  readonly onRetire?: () => void
  /** Overrides of `defaultLimits`. */
  readonly limits?: Partial<ConnectionLimits>
}

/** The most memory and time that a client may take when it sends or reads too slowly. */
const defaultLimits: ConnectionLimits = {
  maxAnswerBytes: 256 * 1024 * 1024,
  maxMessageBytes: 256 * 1024 * 1024,
  stallMs: 60_000
}

export class SessionMultiplexer implements ConnectionOwner {
  readonly limits: ConnectionLimits
  readonly #engine: ProtocolEngine
  readonly #options: MultiplexerOptions
  readonly #connections = new Set<VirtualConnection>()
  #queue: Array<VirtualConnection> = []
  #holder: VirtualConnection | undefined
  #pumping = false
  #idleTimer: NodeJS.Timeout | undefined
  #failure: Error | undefined

  constructor(engine: ProtocolEngine, options: MultiplexerOptions) {
    this.#engine = engine
    this.#options = options
    this.limits = { ...defaultLimits, ...options.limits }
  }

  /** A new connection; destroyed from the start if the engine has failed. */
  connect(): Duplex {
    const connection = new VirtualConnection(this)
    if (this.#failure !== undefined) {
      connection.destroy(this.#failure)
      return connection
    }
    this.#connections.add(connection)
    return connection
  }

  /** Called when a connection has input or was disconnected. */
  wake(connection: VirtualConnection): void {
    if (connection.disconnected) this.#connections.delete(connection)
    if (this.#holder !== connection && !this.#queue.includes(connection)) this.#queue.push(connection)
    void this.#pump()
  }

  /** Whether any connection listens on `channel` (undefined: on any). */
  listens(channel: string | undefined): boolean {
    for (const { channels } of this.#connections) {
      if (channel === undefined ? channels.size > 0 : channels.has(channel)) return true
    }
    return false
  }

  /** Passes a notification to the connections that listen on its channel. */
  notify(channel: string, frame: Buffer): void {
    for (const connection of this.#connections) if (connection.channels.has(channel)) connection.notify(frame)
  }

  /**
   * Runs messages in the engine and returns its whole answer, unless that is too large to keep. If the engine fails,
   * nothing is returned, so nothing is acknowledged.
   */
  async execute(bytes: Buffer): Promise<Buffer | "too large"> {
    const answer: Array<Buffer> = []
    let length = 0
    await this.#engine.execProtocolRawStream(bytes, {
      onRawData: (data) => { // it cannot be made to wait
        const chunk = Buffer.from(data) // a copy: the engine uses its buffer again
        length += chunk.length
        answer.push(chunk)
        if (length > this.limits.maxAnswerBytes) answer.length = 0
      }
    })
    return length > this.limits.maxAnswerBytes ? "too large" : Buffer.concat(answer)
  }

  /** Called when a newer sov waits for the data directory. */
  retire(): void {
    this.#options.onRetire?.()
  }

  /** Ends all connections, because the engine has failed. */
  fail(error: Error): void {
    if (this.#failure !== undefined) return
    this.#failure = error
    clearTimeout(this.#idleTimer)
    this.#queue = []
    this.#holder = undefined
    const connections = [...this.#connections]
    this.#connections.clear()
    for (const connection of connections) connection.destroy(error)
    this.#options.onFatal(error)
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return
    this.#pumping = true
    try {
      while (this.#failure === undefined) {
        const connection = this.#holder ??= this.#queue.shift()
        if (connection === undefined) return
        clearTimeout(this.#idleTimer)
        if (connection.disconnected) {
          if (!connection.idle) await this.#rollBack(connection)
          this.#holder = undefined
        } else if (await connection.runInput()) {
          if (!connection.idle) continue
          this.#holder = undefined
          if (connection.hasWork) this.#queue.push(connection)
        } else if (connection.idle) {
          this.#holder = undefined
        } else {
          this.#idleTimer = setTimeout(() => this.#expire(connection), this.#options.idleInTransactionMs)
          return // inside a transaction, or in half a message: wait for the same connection
        }
      }
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)))
    } finally {
      this.#pumping = false
    }
  }

  #expire(connection: VirtualConnection): void {
    connection.closeWithError(
      "25P03",
      "the transaction was idle for too long on the embedded database and was rolled back"
    )
  }

  /** Rolls back a transaction. ROLLBACK is sent twice, because during a COPY the first one only ends the COPY. */
  async #rollBack(connection: VirtualConnection): Promise<void> {
    for (let tries = 0; tries < 2 && !connection.idle; tries++) {
      await connection.runDiscardingOutput(makeRollbackFrames())
    }
    if (!connection.idle) throw new Error("an abandoned transaction could not be rolled back")
  }
}
