import type { PGlite } from "@electric-sql/pglite"
import { NodeFS } from "@electric-sql/pglite/nodefs"
import * as fs from "node:fs"
import { formatErrorLine } from "./refusal.ts"
import { syncFile } from "./syncFile.ts"

/**
 * The parts of PGlite's Emscripten module that sov uses. They are private API; tests cover `haltEngine` and the fsync
 * counts.
 */
export interface EngineModule {
  readonly FS: {
    readonly mkdirTree: (path: string) => void
    readonly mount: (type: unknown, options: { readonly root: string }, path: string) => void
    readonly ErrnoError: new(errno: number) => Error
  }
  readonly NODEFS: {
    readonly realPath: (node: unknown) => string
    readonly stream_ops: { fsync?: (stream: { readonly nfd?: number; readonly node: unknown }) => number }
    readonly node_ops: { rename: (node: unknown, directory: unknown, name: string) => void }
  }
  stackRestore: (pointer: number) => void
  _PostgresMainLoopOnce: () => void
  _PostgresSendReadyForQueryIfNecessary: () => void
  _pgl_pq_flush: () => void
}

/**
 * Stops a failed engine for good: the current call and all later calls throw `error`, and nothing more is sent to a
 * client. PGlite's loop calls `_PostgresMainLoopOnce` until the input is used up, and calls the other three functions
 * after an exception: `stackRestore` ends the loop, and the last two would write to the client.
 */
export const haltEngine = (module: EngineModule, error: Error): void => {
  const stop = (): never => {
    throw error
  }
  module._PostgresMainLoopOnce = stop
  module.stackRestore = stop
  module._PostgresSendReadyForQueryIfNecessary = () => {}
  module._pgl_pq_flush = () => {}
}

/** The exit status that PGlite's loop expects when Postgres handles an error itself (`POSTGRES_MAIN_LONGJMP`). */
const LONG_JUMP = 100

/**
 * Reports every exception of a running engine except `LONG_JUMP` to `fail`. PGlite swallows them and would continue in
 * a session that broke in the middle of a statement (a stack overflow, a WebAssembly trap).
 */
export const reportEngineExceptions = (module: EngineModule, fail: (cause: string) => void): void => {
  const run = module._PostgresMainLoopOnce
  module._PostgresMainLoopOnce = () => {
    try {
      run()
    } catch (error) {
      const status = typeof error === "object" && error !== null && "status" in error ? error.status : undefined
      if (status !== LONG_JUMP) fail(`the engine threw ${formatErrorLine(error)}`)
      throw error
    }
  }
}

const PGDATA = "/pglite/data"
/** EIO in WASI's numbering, which Emscripten's system calls use. */
const WASI_EIO = 29

/** PGlite's host file system, with an fsync that reaches the disk and renames that survive a crash. */
export class DurableNodeFS extends NodeFS {
  readonly #root: string
  readonly #onModule: (module: EngineModule) => void
  readonly #onSync: () => void
  readonly #onExit: (cause: string) => void

  constructor(
    root: string,
    hooks: {
      readonly onModule: (module: EngineModule) => void
      readonly onSync: () => void
      readonly onExit: (cause: string) => void
    }
  ) {
    super(root)
    this.#root = root
    this.#onModule = hooks.onModule
    this.#onSync = hooks.onSync
    this.#onExit = hooks.onExit
  }

  override async init(pg: PGlite, options: Parameters<NodeFS["init"]>[1]) {
    this.pg = pg
    const mount = (loaded: unknown) => {
      const module = loaded as EngineModule
      this.#makeDurable(module)
      this.#onModule(module)
      module.FS.mkdirTree(PGDATA)
      // `dataDir` is passed on unchanged: a relative root follows the working directory's inode, even if its path
      // changes
      module.FS.mount(module.NODEFS, { root: this.#root }, PGDATA)
    }
    return {
      emscriptenOpts: {
        ...options,
        preRun: [...(options.preRun ?? []), mount],
        onAbort: () => this.#onExit("the engine aborted"),
        onExit: (code: number) => {
          if (code !== 0) this.#onExit(`the engine ended with ${code}`)
        }
      } as typeof options
    }
  }

  #makeDurable(module: EngineModule): void {
    const { FS, NODEFS } = module
    const durably = (sync: () => void): void => {
      try {
        sync()
      } catch {
        throw new FS.ErrnoError(WASI_EIO) // Postgres answers a failed fsync with PANIC
      }
    }
    NODEFS.stream_ops.fsync = (stream) => {
      durably(() => {
        this.#onSync()
        if (stream.nfd === undefined) syncFile(NODEFS.realPath(stream.node))
        else fs.fsyncSync(stream.nfd)
      })
      return 0
    }
    const rename = NODEFS.node_ops.rename
    NODEFS.node_ops.rename = (node, directory, name) => {
      rename(node, directory, name)
      durably(() => syncFile(NODEFS.realPath(directory))) // Postgres syncs the directory itself; in PGlite that gets lost
    }
  }
}
