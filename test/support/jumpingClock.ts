/**
 * A system clock that jumps, through libfaketime (`apt-get install libfaketime`); the monotonic clock is not affected.
 */
import { existsSync, globSync, writeFileSync } from "node:fs"

const library = globSync("/usr/lib/*/faketime/libfaketime.so.1")[0]

export const canJump: boolean = library !== undefined && existsSync(library)

/** Sets the clock of the processes that use this file: `+1d`, `-1h`, `+0`. They notice within a second. */
export const jumpClock = (file: string, offset: string): void => writeFileSync(file, offset)

/**
 * The environment of a process whose clock `jumpClock` controls through this file; empty if libfaketime is not
 * installed.
 */
export const withJumpingClock = (file: string): Readonly<Record<string, string>> => {
  if (library === undefined) return {}
  if (!existsSync(file)) jumpClock(file, "+0")
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1"
  }
}
