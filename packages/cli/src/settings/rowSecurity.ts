/** SOV_RLS: whether row-level security separates the organizations on a Postgres server. */
import { usageError } from "../CliError.ts"

/** True for 1, false for 0, undefined if not set. Throws CliError for any other value. */
export const readRowSecurity = (env: NodeJS.ProcessEnv): boolean | undefined => {
  const value = env["SOV_RLS"] ?? ""
  if (value === "") return undefined
  if (value !== "0" && value !== "1") {
    throw usageError(`SOV_RLS is 1 or 0, not ${JSON.stringify(value)}`, "unset it, or SOV_RLS=1")
  }
  return value === "1"
}
