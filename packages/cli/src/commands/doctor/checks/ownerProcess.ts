/** Checks the owner process of the embedded home: the only program that has the database open. */
import { Effect } from "effect"
import type { OwnerStatus } from "../../../runtime.ts"
import { type Check, fail, type Finding, ok, skipped, warn } from "./Check.ts"

/** Checks that the owner process of the data directory works. */
export const diagnoseOwner = ({ message, pid, state }: OwnerStatus): Finding => {
  const who = pid === null ? "another process" : `process ${pid}`
  switch (state) {
    case "none":
      return ok("not running, the directory is free; the next command starts one")
    case "serving":
      return ok(`${who} serves the directory`)
    case "opening":
      return warn(
        `${who} holds the directory and does not answer yet`,
        "wait a moment; details: owner.log in the data directory"
      )
    case "refused":
      return fail(message ?? "the owner process refuses", "details: owner.log in the data directory")
    case "incompatible":
      return fail(
        `${who} of another version of sov serves the directory`,
        "end the sov commands that use it, then try again"
      )
    case "held":
      return fail(`${who} holds the directory without sharing it`, pid === null ? "end it" : `end process ${pid}`)
  }
}

export const ownerProcess: Check = {
  name: "owner",
  run: ({ owner, home }) =>
    Effect.sync(() => {
      if (home.kind === "server") return skipped("the database is on a server")
      return owner === null ? skipped(`there is no ${home.location} yet`) : diagnoseOwner(owner)
    })
}
