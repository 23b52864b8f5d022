import { randomBytes } from "node:crypto"
import { forEachFrame, makeFrame, messageType, readCommandTag, STATUS_IDLE } from "./wireFrames.ts"

/** How many statements the session keeps prepared, and for how long. */
export interface StatementLimits {
  readonly maxStatements: number
  /**
   * Milliseconds after which a statement is prepared again. A server plans again once autovacuum has analysed a table;
   * nothing does so here, and the plan that was made while a table was small would stay.
   */
  readonly maxAgeMs: number
  /**
   * A statement that took more milliseconds of CPU time is planned again for its next use, which costs little of it.
   */
  readonly slowCpuMs: number
  /** Longest statement with the types of its parameters. */
  readonly maxStatementBytes: number
}

export const defaultStatementLimits: StatementLimits = {
  maxStatements: 100,
  maxAgeMs: 30_000,
  slowCpuMs: 20,
  maxStatementBytes: 32 * 1024
}

/** What to run in place of a group of messages. */
export interface Substitute {
  readonly bytes: Buffer
  /** What its answer lacks at the beginning. */
  readonly prefix: Buffer
}

interface Kept {
  readonly name: string
  readonly preparedAt: number
}

/** Statements that Postgres makes a plan for. */
const plannedPattern = /^\s*(?:select|with|insert|update|delete)\b/i

/** Tags of commands that change neither the schema nor what is prepared. */
const harmlessTags = new Set(
  ("SELECT INSERT UPDATE DELETE MERGE COPY BEGIN START COMMIT ROLLBACK SAVEPOINT RELEASE SET SHOW EXPLAIN " +
    "NOTIFY LISTEN UNLISTEN DECLARE FETCH MOVE CLOSE LOCK").split(" ")
)

const noBytes = Buffer.alloc(0)
const parseComplete = makeFrame(messageType.parseComplete, noBytes)
const formatName = (name: string): Buffer => Buffer.from(`${name}\0`, "latin1")

/**
 * The length of the Parse that begins a group of Parse, Bind, Describe, Execute and Sync without any name, undefined
 * for other groups.
 */
const measureParse = (group: Buffer): number | undefined => {
  let types = ""
  let named = false
  forEachFrame(group, (type, frame) => {
    types += String.fromCharCode(type)
    // Describe names what it describes first, "P" for a portal; only a Parse or Execute has one name
    const at = type === messageType.describe ? 6 : 5
    if (type !== messageType.sync) named ||= frame[at] !== 0
    if (type === messageType.bind) named ||= frame[6] !== 0
    if (type === messageType.describe) named ||= frame[5] !== 0x50
  })
  return types === "PBDES" && !named ? 1 + group.readUInt32BE(1) : undefined
}

/**
 * The statements that the session keeps prepared for all its clients, which send them without a name: a group of Parse,
 * Bind, Describe, Execute and Sync runs as Bind, Describe, Execute and Sync of what was prepared before, and its client
 * is answered as if the Parse had run. A statement is known by its text and the types of its parameters.
 *
 * Groups run one at a time: `begin`, then the engine, then `sawError`, `sawCommand` and `sawReady` of the answer.
 */
export class KeptStatements {
  readonly #limits: StatementLimits
  /** By text and types; the one whose last use is longest ago comes first. */
  readonly #kept = new Map<string, Kept>()
  /** Names that the session has and nothing uses any more. */
  #dropped: Array<string> = []
  // Unlike the names of any client, or of another hub that had the same engine
  readonly #prefix = `sov_${randomBytes(6).toString("hex")}_`
  #made = 0
  /** The statement that runs. */
  #running: string | undefined
  /** A transaction changed the schema, and may be rolled back yet. */
  #schemaMayChange = false

  constructor(limits: StatementLimits) {
    this.#limits = limits
  }

  /** What to run in place of a group; undefined = the group itself. */
  begin(group: Buffer): Substitute | undefined {
    this.#running = undefined
    if (group[0] !== messageType.parse || this.#schemaMayChange) return undefined
    const parseBytes = measureParse(group)
    if (parseBytes === undefined || parseBytes > this.#limits.maxStatementBytes) return undefined
    const statement = group.toString("latin1", 6, parseBytes)
    if (!plannedPattern.test(statement)) return undefined
    const kept = this.#find(statement)
    this.#running = statement
    if (kept !== undefined) return { bytes: bindTo(kept.name, group, parseBytes), prefix: parseComplete }
    const { name } = this.#keep(statement)
    const parse = makeFrame(messageType.parse, Buffer.concat([formatName(name), group.subarray(6, parseBytes)]))
    return { bytes: Buffer.concat([parse, bindTo(name, group, parseBytes)]), prefix: noBytes }
  }

  /** Messages that make the session forget what is not used any more; undefined when there is nothing to forget. */
  takeCloses(): Buffer | undefined {
    if (this.#dropped.length === 0) return undefined
    const closes = this.#dropped.map((name) =>
      makeFrame(messageType.close, Buffer.concat([Buffer.from("S"), formatName(name)]))
    )
    this.#dropped = []
    return Buffer.concat([...closes, makeFrame(messageType.sync, noBytes)])
  }

  /** How long the running statement took. */
  sawCpu(ms: number): void {
    if (ms > this.#limits.slowCpuMs) this.#dropRunning()
  }

  /** The statement that runs failed: where its plan no longer fits, the next use makes another. */
  sawError(): void {
    this.#dropRunning()
  }

  /** A command was carried out. */
  sawCommand(frame: Buffer): void {
    if (harmlessTags.has(readCommandTag(frame))) return
    for (const statement of this.#kept.keys()) this.#drop(statement)
    this.#schemaMayChange = true
  }

  /** The engine has answered. */
  sawReady(status: number): void {
    if (status === STATUS_IDLE) this.#schemaMayChange = false
  }

  #find(statement: string): Kept | undefined {
    const kept = this.#kept.get(statement)
    if (kept === undefined) return undefined
    if (performance.now() - kept.preparedAt > this.#limits.maxAgeMs) {
      this.#drop(statement)
      return undefined
    }
    this.#kept.delete(statement)
    this.#kept.set(statement, kept)
    return kept
  }

  #keep(statement: string): Kept {
    const [oldest] = this.#kept.keys()
    if (oldest !== undefined && this.#kept.size >= this.#limits.maxStatements) this.#drop(oldest)
    const kept = { name: `${this.#prefix}${++this.#made}`, preparedAt: performance.now() }
    this.#kept.set(statement, kept)
    return kept
  }

  #dropRunning(): void {
    if (this.#running !== undefined) this.#drop(this.#running)
  }

  #drop(statement: string): void {
    const kept = this.#kept.get(statement)
    if (kept === undefined) return
    this.#kept.delete(statement)
    this.#dropped.push(kept.name)
  }
}

/** What follows the Parse of a group, with the statement's name in its Bind. */
const bindTo = (name: string, group: Buffer, parseBytes: number): Buffer => {
  const statement = formatName(name)
  const bindBytes = group.readUInt32BE(parseBytes + 1)
  const head = Buffer.alloc(6) // with the empty name of the portal
  head[0] = messageType.bind
  head.writeUInt32BE(bindBytes + statement.length - 1, 1)
  return Buffer.concat([head, statement, group.subarray(parseBytes + 7)])
}
