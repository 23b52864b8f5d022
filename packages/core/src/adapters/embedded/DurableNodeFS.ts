import type { PGlite } from "@electric-sql/pglite"
import { NodeFS } from "@electric-sql/pglite/nodefs"
import * as fs from "node:fs"
import { formatErrorLine } from "./refusal.ts"
import { syncFile } from "./syncFile.ts"

/** What is used of PGlite's Emscripten module, which is private API: `haltEngine` and the fsync counts are tested. */
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
 * Stops a failed engine for good: the call that runs now and all later ones throw `error`, and nothing more is sent to
 * a client. PGlite's loop runs `_PostgresMainLoopOnce` again and again until the input is used up, and after an
 * exception calls the other three: `stackRestore` ends the loop, the last two would speak to the client.
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

/** Status of the exception by which PGlite's loop expects Postgres's own error handling (`POSTGRES_MAIN_LONGJMP`). */
const LONG_JUMP = 100

/**
 * Reports every other exception of a running engine to `fail`: PGlite swallows them, and would go on in a session that
 * is broken in the middle of a statement (a stack overflow of deep recursion, a trap of the WebAssembly).
 */
export const watchEngine = (module: EngineModule, fail: (cause: string) => void): void => {
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

/** PGlite's file system of the host, with an fsync that reaches the disk and renames that last. */
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
      // Given as it came: a relative root follows the working directory's inode, whatever its path becomes
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
