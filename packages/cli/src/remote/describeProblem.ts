/** Converts a problem returned by a server, or a failure to reach it, to the error that a command prints. */
import { faultsIn, type Problem, SovProblem, SovUnreachable } from "@sov/http/fetch-client"
import { CliError } from "../CliError.ts"
import { describeError } from "../describeError.ts"
import { type ExitCode, exitCodes } from "../exitCodes.ts"

type Described = readonly [exit: ExitCode, hint: string]

const whereDatabaseIs = "where the server's database is"
const invalidKey: Described = [
  exitCodes.auth,
  `SOV_API_KEY holds the key; \`sov key list\` ${whereDatabaseIs} shows which are valid`
]
const operatorOnly: Described = [exitCodes.usage, "the server's operator can change that"]

const descriptions: { readonly [slug: string]: Described } = {
  "missing-key": invalidKey,
  "invalid-key": invalidKey,
  "plan-required": [exitCodes.auth, `\`sov plan set pro\` ${whereDatabaseIs} changes the plan`],
  "insufficient-scope": [exitCodes.auth, `\`sov key create --scope SCOPE\` ${whereDatabaseIs} makes a key that may`],
  "invalid-request": [exitCodes.usage, "correct it, and run the command again"],
  "not-found": [
    exitCodes.notFound,
    "check the name or id, and that --url is the server's base address, without /api/v1"
  ],
  "no-completed-scan": [exitCodes.notFound, "sov scan runs one"],
  "misdirected-request": [exitCodes.usage, "the operator lists further host names in SOV_ALLOWED_HOSTS"],
  "unknown-keyword": [
    exitCodes.usage,
    `\`sov keyword list\`, \`sov tag list\` and \`sov view list\` ${whereDatabaseIs} show what can be asked; ` +
    "paused keywords are not asked"
  ],
  "no-brand": operatorOnly,
  "no-keywords": operatorOnly,
  "no-platforms": operatorOnly,
  "platform-not-configured": [exitCodes.usage, "without --platform all that are configured there are asked"],
  "platforms-mixed": [exitCodes.usage, "name platforms of one kind"],
  unavailable: [exitCodes.unreachable, "try again in a moment"]
}

const optionOfMember: { readonly [name: string]: string } = {
  keyword_id: "--keyword",
  keyword_ids: "--keyword",
  platform: "--platform",
  platforms: "--platform",
  from: "--from",
  to: "--to",
  limit: "--limit",
  cursor: "--cursor"
}

/** Looks up only the table's own members, because a server could send any name, even one that every object inherits. */
const findEntry = <A>(table: { readonly [name: string]: A }, name: string): A | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** Describes the faults in a request with the names of command-line options. */
const listFaults = (problem: Problem): ReadonlyArray<string> =>
  faultsIn(problem).map(({ message, path }) =>
    `${findEntry(optionOfMember, String(path[1])) ?? path.join(".")} ${message}`
  )

const findDescription = ({ problem, retryAfter }: SovProblem): Described => {
  const slug = problem.type.split("/").at(-1)!
  const known = findEntry(descriptions, slug)
  if (known !== undefined) return known
  if (problem.status === 429) {
    const { resets_at: resetsAt } = problem
    return [
      exitCodes.quota,
      typeof resetsAt === "string" ? `the month ends at ${resetsAt}` : `try again in ${retryAfter ?? 60} s`
    ]
  }
  if (problem.type === "about:blank") return [exitCodes.unreachable, "--url (or SOV_URL) has to name a sov server"]
  if (problem.status < 500) return [exitCodes.usage, "sov help shows what there is"]
  return [
    exitCodes.unexpected,
    `try again; the operator finds it in the log by ${problem.request_id ?? "the time of the request"}`
  ]
}

/** Converts any failure of a call to the error that the command prints. */
export const describeProblem = (failure: unknown): CliError => {
  if (failure instanceof SovUnreachable) {
    return new CliError(
      "server-unreachable",
      exitCodes.unreachable,
      failure.message,
      "is the server running (sov serve), and the address right?"
    )
  }
  if (!(failure instanceof SovProblem)) return describeError(failure)
  const { problem } = failure
  const wrong = listFaults(problem)
  const [exit, hint] = findDescription(failure)
  return new CliError(
    problem.type.split("/").at(-1)!.replace("about:blank", "no-sov-server"),
    exit,
    wrong.length === 0 ? failure.message : wrong.join("; "),
    hint
  )
}
