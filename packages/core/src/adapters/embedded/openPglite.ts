/**
 * Opens PGlite so that everything it acknowledges is on disk.
 *
 * PGlite starts Postgres with fsync off, does not pass fsync on to the host, and swallows almost every exception of its
 * engine: after a FATAL or PANIC it would continue in a broken session. This file corrects all three. It uses PGlite's
 * Emscripten module, which is private API: tests count the fsyncs and provoke the failures.
 */
import { PGlite } from "@electric-sql/pglite"
import * as fs from "node:fs"
import * as path from "node:path"
import { readClusterDump, syncDirectory, syncTree, unpackClusterDump } from "./clusterDump.ts"
import {
  clusterNames,
  inspectCluster,
  makeDamagedRefusal,
  makeDiskFullRefusal,
  makeNotStartedRefusal,
  makeNotWritableRefusal,
  toSystemRefusal
} from "./dataDirectory.ts"
import { DurableNodeFS, type EngineModule, haltEngine, reportEngineExceptions } from "./DurableNodeFS.ts"
import { findErrorCode, formatErrorLine, Refusal } from "./refusal.ts"

/** An open database. */
export interface OpenDatabase {
  readonly engine: PGlite
  /** Closes the database: checkpoint, files closed. Does nothing when the engine has failed. */
  readonly close: () => Promise<void>
}

/** How to open a database. */
export interface OpenOptions {
  /** The data directory as messages name it; undefined = in memory. */
  readonly dataDir: string | undefined
  /** The data directory as this process reaches it; defaults to `dataDir`. */
  readonly root?: string
  /** Called once when the engine has failed for good. Unacknowledged work must stay unacknowledged. */
  readonly onFatal: (error: Error) => void
  /** Receives one line of Postgres's log. */
  readonly log?: (line: string) => void
  /** The tar of the cluster for a first start; undefined runs initdb. Defaults to the empty cluster in the package. */
  readonly dump?: () => Promise<Buffer | undefined>
  /** Called before each fsync of a file of the cluster; if it throws, the fsync fails. */
  readonly onSync?: () => void
}

const severeLogLine = /\b(?:FATAL|PANIC): /

const limitParams = [
  // Less than JavaScript's stack, so that deep recursion ends as an error of the statement and not of the engine
  "-c",
  "max_stack_depth=300kB",
  // PGlite fills the shared buffers with zeros at the start, so all of them take memory; the host caches pages that
  // were read as well
  "-c",
  "shared_buffers=16MB"
] as const

const startParams: ReadonlyArray<string> = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
  "-c",
  "fsync=on",
  "-c",
  "wal_sync_method=fsync",
  ...limitParams,
  // Logs only LOG, FATAL and PANIC: a statement's error goes to its client, and would put rows into the log
  "-c",
  "log_min_messages=log"
]

/** Keeps the last lines of Postgres's output for the message of a failed open. */
const makeStderrTail = (log: ((line: string) => void) | undefined) => {
  const lines: Array<string> = []
  return {
    add: (text: string): void => {
      const line = text.trim()
      lines.push(line)
      if (lines.length > 20) lines.shift()
      log?.(`postgres: ${line}`)
    },
    /**
     * The last severe line with its DETAIL, or else the last line of any kind, without time and process; "" if there
     * was no line.
     */
    last: (): string => {
      const found = lines.filter((line) => severeLogLine.test(line) || line.includes("DETAIL: ")).slice(-2)
      const shown = found.length > 0 ? found : lines.slice(-1)
      return shown.map((line) => line.replace(/^.*?\b(FATAL|PANIC|DETAIL): +/, "$1: ")).join("; ")
    }
  }
}

/**
 * Creates the cluster under a temporary name, complete and synced, then renames it. Returns true if it came from the
 * dump.
 */
const createCluster = async (
  root: string,
  log: ((line: string) => void) | undefined,
  dump: Buffer | undefined
): Promise<boolean> => {
  const loading = path.join(root, clusterNames.loading)
  const unpacked = dump !== undefined && unpackOrClear(dump, loading)
  if (!unpacked) {
    log?.("making a new cluster with initdb")
    const engine = await PGlite.create({ dataDir: loading })
    await engine.close()
  }
  await syncTree(loading)
  fs.renameSync(loading, path.join(root, clusterNames.ready))
  await syncDirectory(root)
  return unpacked
}

const unpackOrClear = (dump: Buffer, loading: string): boolean => {
  try {
    unpackClusterDump(dump, loading)
    return true
  } catch (error) {
    fs.rmSync(loading, { recursive: true, force: true })
    if (findErrorCode(error) !== "") throw error // the disk's fault: initdb would meet it too
    return false
  }
}

const openCluster = async (dataDir: string, root: string, options: OpenOptions): Promise<OpenDatabase> => {
  const tail = makeStderrTail(options.log)
  let module: EngineModule | undefined
  let opened = false
  let failure: Error | undefined
  let syncs = 0

  const fail = (cause: string): void => {
    if (failure !== undefined) return
    const error = failure = new Error(`The embedded database in ${dataDir} stopped: ${cause}`)
    if (module !== undefined) haltEngine(module, error)
    if (opened) options.onFatal(error)
  }

  const files = new DurableNodeFS(path.join(root, clusterNames.ready), {
    onModule: (loaded) => {
      module = loaded
    },
    onSync: () => {
      syncs++
      options.onSync?.()
    },
    onExit: fail
  })
  let engine: PGlite
  try {
    engine = await PGlite.create({
      fs: files,
      startParams: [...startParams],
      onStderr: (text: string) => {
        tail.add(text)
        if (severeLogLine.test(text)) fail(text.trim())
        return false
      }
    })
  } catch (error) {
    const said = tail.last()
    if (/no space left on device/i.test(said)) throw makeDiskFullRefusal(dataDir)
    if (/permission denied|read-only file system/i.test(said)) throw makeNotWritableRefusal(dataDir, said)
    if (said !== "") throw makeDamagedRefusal(dataDir, said)
    throw toSystemRefusal(dataDir, error) ?? makeNotStartedRefusal(dataDir, formatErrorLine(error))
  }
  if (syncs === 0) {
    await engine.close()
    throw new Refusal(
      "not_durable",
      `The embedded database in ${dataDir} would not sync to the disk with this PGlite; install the pinned version`
    )
  }
  opened = true
  if (module !== undefined) reportEngineExceptions(module, fail)
  return {
    engine,
    // A failed engine must not write its shutdown checkpoint: the next one recovers from the log
    close: async () => failure === undefined ? engine.close() : undefined
  }
}

const openInMemory = async (options: OpenOptions): Promise<OpenDatabase> => {
  const dump = await (options.dump ?? readClusterDump)()
  const loadDataDir = dump === undefined ? {} : { loadDataDir: new Blob([new Uint8Array(dump)]) }
  const tail = makeStderrTail(options.log)
  // The engine is not halted while initdb may run, because initdb prints errors of its own
  const state: { halt: (cause: string) => void; failed: boolean } = { halt: () => {}, failed: false }
  const engine = await PGlite.create({
    ...loadDataDir,
    startParams: [...PGlite.defaultStartParams, ...limitParams],
    onStderr: (text: string) => {
      tail.add(text)
      if (severeLogLine.test(text)) state.halt(text.trim())
      return false
    }
  })
  state.halt = (cause) => {
    if (state.failed) return
    state.failed = true
    const error = new Error(`The database in memory stopped: ${cause}`)
    haltEngine(engine.Module as unknown as EngineModule, error)
    options.onFatal(error)
  }
  reportEngineExceptions(engine.Module as unknown as EngineModule, state.halt)
  return { engine, close: async () => state.failed ? undefined : engine.close() }
}

/**
 * Opens the cluster of a data directory whose lock the caller holds, and creates it if it is missing; or opens a new
 * cluster in memory. Throws a `Refusal`.
 */
export const openPglite = async (options: OpenOptions): Promise<OpenDatabase> => {
  const { dataDir } = options
  if (dataDir === undefined) return openInMemory(options)
  const root = options.root ?? dataDir
  try {
    if (inspectCluster(dataDir, root) === "present") return await openCluster(dataDir, root, options)
    const unpacked = await createCluster(root, options.log, await (options.dump ?? readClusterDump)())
    try {
      return await openCluster(dataDir, root, options)
    } catch (error) {
      if (!unpacked || !(error instanceof Refusal) || error.reason !== "damaged") throw error
      // This call has just created the cluster, so it contains no data
      options.log?.("the prebuilt cluster does not open")
      fs.rmSync(path.join(root, clusterNames.ready), { recursive: true })
      await createCluster(root, options.log, undefined)
      return await openCluster(dataDir, root, options)
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw toSystemRefusal(dataDir, error) ?? makeNotStartedRefusal(dataDir, formatErrorLine(error))
  }
}
