import { defaultRetention, maxRetention, minRetention, type RetainedKind, type Retention } from "@sov/core/workers"
import { usageError } from "../CliError.ts"

/** The variable that sets how many days rows of this kind are kept. */
export const retentionVariable = (kind: RetainedKind): string => `SOV_KEEP_${kind.toUpperCase()}`

/** Reads how long rows are kept. Throws a usage error for a value that is not a number of days or is too small. */
export const readRetention = (env: Readonly<Record<string, string | undefined>>): Retention => {
  const read = (kind: RetainedKind): number => {
    const name = retentionVariable(kind)
    const text = env[name] ?? ""
    if (text === "") return defaultRetention[kind]
    const days = Number(text)
    if (/^\d{1,5}$/.test(text) && days >= minRetention(kind) && days <= maxRetention) return days
    throw usageError(
      `${name}: ${JSON.stringify(text)} is not a number of days from ${minRetention(kind)} to ${maxRetention}`,
      `leave it unset for ${defaultRetention[kind]} days`
    )
  }
  const entries = (Object.keys(defaultRetention) as Array<RetainedKind>).map((kind) => [kind, read(kind)] as const)
  return Object.fromEntries(entries) as Retention
}
