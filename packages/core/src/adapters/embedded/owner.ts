/**
 * The one process that has the database of a data directory open: `node owner.ts <dataDir>`. `OwnerClient` starts it on
 * demand; it ends a few seconds after its last client leaves. It holds the kernel lock while it lives, so if it is
 * killed at any moment, the next owner takes over and recovers from Postgres's log.
 *
 * This process does not load Effect, because its start delays the first row of the first command.
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

/** How long to wait for a lock whose holder does not listen: the holder may be ending, or about to listen. */
const LOCK_WAIT_MS = { owner: 15_000, "in-process": 1_000 } as const
/** How long to wait while the previous owner still runs: closing the database can take minutes on a busy machine. */
const CLOSING_WAIT_MS = 300_000
const MAX_LOG_BYTES = 1_000_000

const writeLog = (line: string): void => {
  process.stdout.write(`${new Date().toISOString()} ${process.pid} ${line}\n`)
}

/** Exits with the error. The kernel drops the lock, clients see a lost connection, and the next owner recovers. */
const exitWithError = (error: unknown): never => {
  writeLog(`fatal: ${error instanceof Error ? error.stack ?? error.message : String(error)}`)
  process.exit(ownerExitCodes.fatal)
}

// V8 recompiles a WebAssembly function with optimizations once it has run for this long (roughly, bytes executed). The
// default of 13,000,000 is used up while Postgres starts, which costs half a second of CPU time and 500 MiB for an
// owner that may live only seconds. With the largest value, only functions that stay busy for long are recompiled;
// nothing that was measured got slower.
setFlagsFromString("--wasm-tiering-budget=2147483647")
process.on("uncaughtException", exitWithError)
process.on("unhandledRejection", exitWithError)
// Ctrl-C and a closed terminal are meant for the command that started this process, but the owner serves other commands
// as well
process.on("SIGINT", () => {})
process.on("SIGHUP", () => {})
closeInheritedDescriptors()
process.umask(0o077)

process.stdout.on("error", () => {}) // a full disk takes the log, not the database

const dataDir = fs.realpathSync(process.argv[2] ?? ".")
const publicSocket = locateSocket(dataDir)
// From here on all paths are relative. They follow this directory's inode, so nothing is written into another directory
// that is later created at the same path
process.chdir(dataDir)
const socket = path.dirname(publicSocket) === dataDir ? path.basename(publicSocket) : publicSocket

/** How long to wait for a lock that another process holds. */
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

/** Takes the lock. Ends this process if another process serves, or holds the lock without serving. */
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
  // Imported after the lock is taken, so that a process that does not get it pays only for the start of Node
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
