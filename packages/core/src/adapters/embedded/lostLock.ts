import * as fs from "node:fs"
import * as path from "node:path"
import { clusterNames } from "./dataDirectory.ts"
import type { KernelLock } from "./kernelLock.ts"
import { sleep } from "./ownerProtocol.ts"

/** How often a holder looks whether its lock file is still there, in milliseconds. */
export const WATCH_MS = 1_000

/**
 * Waits where somebody may have the database open under a lock file that was deleted (`rm .sov/*`): that one ends
 * within `WATCH_MS`. To be called between taking the lock and opening; at once in every ordinary case.
 */
export const outlastLostLock = async (lock: KernelLock, root: string): Promise<void> => {
  if (lock.fresh && fs.existsSync(path.join(root, clusterNames.ready))) await sleep(2.5 * WATCH_MS)
}
