import * as fs from "node:fs"
import * as path from "node:path"
import { clusterNames } from "./dataDirectory.ts"
import type { KernelLock } from "./kernelLock.ts"
import { sleep } from "./ownerProtocol.ts"

/** How often the holder of a lock checks that its lock file is still there, in milliseconds. */
export const LOCK_CHECK_MS = 1_000

/**
 * Waits when another process may have the database open under a lock file that was deleted (`rm .sov/*`); that process
 * ends within `LOCK_CHECK_MS`. Call it between taking the lock and opening. It returns at once in every ordinary case.
 */
export const waitForPreviousOwner = async (lock: KernelLock, root: string): Promise<void> => {
  if (lock.isNew && fs.existsSync(path.join(root, clusterNames.ready))) await sleep(2.5 * LOCK_CHECK_MS)
}
