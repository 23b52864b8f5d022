import { Name } from "@sov/core/organizations"
import { Schema } from "effect"
import { userInfo } from "node:os"

/** The name of the account that runs the command, or "operator" if it has no valid name. */
export const accountName = (): string => {
  try {
    const { username } = userInfo()
    return Schema.is(Name)(username) ? username : "operator"
  } catch {
    return "operator"
  }
}
