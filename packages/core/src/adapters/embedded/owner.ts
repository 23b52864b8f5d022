/**
 * The one process that has the database of a data directory open: `node owner.ts <dataDir>`. `OwnerClient` starts it on
 * demand; it ends a few seconds after its last client. It holds the kernel lock for as long as it lives, so that
 * killing it at any moment leaves the directory to the next one, which recovers from Postgres's log.
 *
 * Effect is not loaded here: this process starts on the way to everybody's first row.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { setFlagsFromString } from "node:v8"
import { makeBusyRefusal, readLockHolder, writeLockHolder } from "./dataDirectory.ts"
import { closeInheritedDescriptors } from "./inheritedDescriptors.ts"
import { type KernelLock, tryKernelLock } from "./kernelLock.ts"
import { connectToSocket, locateSocket, ownerExitCodes, ownerFiles, sleep } from "./ownerProtocol.ts"
import { OwnerServer } from "./OwnerServer.ts"
import { readOwnerSettings } from "./ownerSettings.ts"
import { formatErrorLine, Refusal } from "./refusal.ts"
import { waitForPreviousOwner } from "./waitForPreviousOwner.ts"

/** How long to wait for a lock whose holder does not listen: it may be ending, or about to listen. */
const LOCK_WAIT_MS = { owner: 15_000, "in-process": 1_000 } as const
/** The same while the owner that took it is there: it closes the database, which takes minutes on a busy machine. */
const CLOSING_WAIT_MS = 300_000
const MAX_LOG_BYTES = 1_000_000

const writeLog = (line: string): void => {
  process.stdout.write(`${new Date().toISOString()} ${process.pid} ${line}\n`)
}

/** The kernel drops the lock, clients see a lost connection, and the next owner recovers. */
const exitWithError = (error: unknown): never => {
  writeLog(`fatal: ${error instanceof Error ? error.stack ?? error.message : String(error)}`)
  process.exit(ownerExitCodes.fatal)
}

// V8 compiles a WebAssembly function again, optimized, once it has run for this long (in bytes executed, about). Its
// default of 13,000,000 is spent while Postgres starts: half a second of CPU time and 500 MiB, for an owner that may
// live seconds. With the largest value only what an owner is long busy with is compiled again; nothing measured got
// slower.
setFlagsFromString("--wasm-tiering-budget=2147483647")
process.on("uncaughtException", exitWithError)
process.on("unhandledRejection", exitWithError)
// Ctrl-C and a closed terminal are for the command that started this process, which serves others, too
process.on("SIGINT", () => {})
process.on("SIGHUP", () => {})
closeInheritedDescriptors()
process.umask(0o077)

process.stdout.on("error", () => {}) // a full disk takes the log, not the database

const dataDir = fs.realpathSync(process.argv[2] ?? ".")
const publicSocket = locateSocket(dataDir)
// From here on everything is reached by relative paths: they follow this directory's inode, so that nothing is ever
// written into another directory that takes the path over
process.chdir(dataDir)
const socket = path.dirname(publicSocket) === dataDir ? path.basename(publicSocket) : publicSocket

/** How long to wait for the lock that somebody holds now. */
const lockWaitMs = (): number => {
  const holder = readLockHolder(".")
  if (holder?.kind !== "owner") return LOCK_WAIT_MS[holder?.kind ?? "owner"]
  try {
    process.kill(holder.pid, 0)
    return CLOSING_WAIT_MS
  } catch {
    return LOCK_WAIT_MS.owner
  }
}

/** Takes the lock; ends this process when another one serves, or holds the lock without serving. */
const takeLock = async (): Promise<KernelLock> => {
  const started = Date.now()
  for (;;) {
    const lock = tryKernelLock(ownerFiles.lock)
    if (lock !== undefined) return lock
    const served = await connectToSocket(socket)
    if (served !== undefined) {
      served.destroy()
      process.exit(ownerExitCodes.ended)
    }
    if (Date.now() - started > lockWaitMs()) {
      writeLog(`gave up: ${makeBusyRefusal(dataDir, ".").message}`)
      process.exit(ownerExitCodes.busy)
    }
    await sleep(10 + Math.random() * 20)
  }
}

const lock = await takeLock()
writeLockHolder(".", "owner")
const ownLog = fs.fstatSync(1)
if (ownLog.isFile() && ownLog.size > MAX_LOG_BYTES) fs.ftruncateSync(1, 0)
writeLog("start")

const server = new OwnerServer({
  socket,
  settings: () => readOwnerSettings("."),
  isLockHeld: lock.isHeld,
  log: writeLog,
  die: exitWithError
})
process.on("SIGTERM", () => server.terminate())
await server.listen()

try {
  // Not before the lock: who loses it costs a start of Node only
  const [{ openPglite }, { SessionMultiplexer }] = await Promise.all([
    import("./openPglite.ts"),
    import("./SessionMultiplexer.ts"),
    waitForPreviousOwner(lock, ".")
  ])
  const database = await openPglite({ dataDir, root: ".", onFatal: exitWithError, log: writeLog })
  const hub = new SessionMultiplexer(database.engine, {
    idleInTransactionMs: readOwnerSettings(".").idleInTransactionMs,
    onFatal: exitWithError,
    onRetire: () => server.retire()
  })
  server.serve(() => hub.connect(), async () => {
    await database.close()
    lock.release()
  })
  writeLog(`ready after ${Math.round(performance.now())} ms, database ${path.join(dataDir, "db")}`)
} catch (error) {
  server.refuse(error instanceof Refusal ? error : new Refusal("unreachable", `${dataDir}: ${formatErrorLine(error)}`))
}
