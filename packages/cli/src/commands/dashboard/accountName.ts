import { Name } from "@sov/core/organizations"
import { Schema } from "effect"
import { userInfo } from "node:os"

/** The name of the account that runs the command; "operator" where it has none that can be shown. */
export const accountName = (): string => {
  try {
    const { username } = userInfo()
    return Schema.is(Name)(username) ? username : "operator"
  } catch {
    return "operator"
  }
}
