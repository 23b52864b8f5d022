/** Exit codes. They never change, because scripts rely on them. `sov help exit-codes` prints this table. */
export const exitCodes = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  notFound: 3,
  auth: 4,
  quota: 5,
  partial: 6,
  checkFailed: 7,
  conflict: 8,
  unreachable: 9,
  interrupted: 130,
  terminated: 143
} as const
export type ExitCode = typeof exitCodes[keyof typeof exitCodes]

export const exitCodeMeanings: ReadonlyArray<readonly [ExitCode, string]> = [
  [0, "success (also when the reader of a pipe went away)"],
  [1, "unexpected error"],
  [2, "wrong usage or configuration"],
  [3, "not found"],
  [4, "API key missing or refused, plan too low, or a platform's API or model has ended"],
  [5, "monthly scan quota or rate limit exhausted"],
  [6, "partial: some answers failed, or an export was cut short"],
  [7, "a check failed: signature, hash, doctor"],
  [8, "conflict: name taken, scan already ended, other platform bindings, database newer than this version"],
  [9, "database or platform unreachable, or a timeout"],
  [130, "interrupted (Ctrl-C)"],
  [143, "terminated (SIGTERM)"]
]
