import type { Duplex } from "node:stream"

const frame = (type: string, body: Buffer): Buffer => {
  const out = Buffer.alloc(5 + body.length)
  out.write(type, 0)
  out.writeUInt32BE(4 + body.length, 1)
  body.copy(out, 5)
  return out
}

export const query = (sql: string): Buffer => frame("Q", Buffer.from(`${sql}\0`))

export const startup = (): Buffer => {
  const body = Buffer.from("user\0postgres\0database\0postgres\0\0")
  const out = Buffer.alloc(8 + body.length)
  out.writeUInt32BE(out.length, 0)
  out.writeUInt32BE(196608, 4)
  body.copy(out, 8)
  return out
}

export const terminate = (): Buffer => frame("X", Buffer.alloc(0))

/** A Postgres client that speaks simple queries in bytes, to see exactly what the hub sends. */
export class RawClient {
  readonly wire: Duplex
  readonly frames: Array<{ readonly type: string; readonly text: string }> = []
  ended = false
  error: Error | undefined
  #rest: Buffer = Buffer.alloc(0)
  #ready = 0
  #wakes: Array<() => void> = []

  constructor(wire: Duplex) {
    this.wire = wire
    wire.on("data", (chunk: Buffer) => this.#read(chunk))
    wire.on("end", () => {
      this.ended = true
      this.#wake()
    })
    wire.on("error", (error) => {
      this.error = error
    })
    wire.on("close", () => {
      this.ended = true
      this.#wake()
    })
  }

  static async open(wire: Duplex): Promise<RawClient> {
    const client = new RawClient(wire)
    await client.ask(startup())
    return client
  }

  /** Writes bytes that ask for one ReadyForQuery and gives the frames up to it, or up to the end. */
  async ask(bytes: Buffer | string): Promise<string> {
    const from = this.frames.length
    const ready = this.#ready
    this.wire.write(typeof bytes === "string" ? query(bytes) : bytes)
    await this.until(() => this.#ready > ready || this.ended)
    return this.frames.slice(from).map(({ text, type }) => `${type}:${text}`).join("|")
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#wakes.push(resolve))
  }

  #wake(): void {
    for (const wake of this.#wakes.splice(0)) wake()
  }

  #read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk])
    while (this.#rest.length >= 5) {
      const length = 1 + this.#rest.readUInt32BE(1)
      if (this.#rest.length < length) break
      const type = String.fromCharCode(this.#rest[0] ?? 0)
      this.frames.push({ type, text: this.#rest.toString("utf8", 5, length).replaceAll(/[^\x20-\x7e]+/g, " ") })
      if (type === "Z") this.#ready++
      this.#rest = this.#rest.subarray(length)
    }
    this.#wake()
  }
}
