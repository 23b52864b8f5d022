/** sov archive anchor: prints the head of the chain, to be kept outside the database. */
import { anchorChain, type AnchorDocument, formatAnchor, parseAnchors, stampAnchor } from "@sov/core/archive"
import { listOrganizations, type Organization } from "@sov/core/organizations"
import { listEndpoints } from "@sov/core/webhooks"
import { listWorkers } from "@sov/core/workers"
import { Effect, Result } from "effect"
import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs"
import { CliError, usageError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { currentOrganization } from "../../input/currentOrganization.ts"
import type { Output } from "../../output/Output.ts"
import { runCommand, timeStamps } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

interface AnchorOptions extends GlobalOptions {
  readonly out?: string
  readonly all?: boolean
  readonly tsa?: string
}

const cannotWrite = (file: string, error: unknown): CliError =>
  usageError(`cannot write to ${file}: ${(error as NodeJS.ErrnoException).code ?? "error"}`)

/** Whether the last line of a file is incomplete, for example because its writer was stopped. */
const endsWithinLine = (text: string): boolean => text !== "" && !text.endsWith("\n")

/**
 * Opens a file of anchors for appending. Only its user can read a file that this call creates. Its lines are on disk
 * when it is closed. Refuses a file that does not start with an anchor.
 */
const openAnchorFile = (file: string) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => openSync(file, "a+", 0o600),
      catch: (error) => cannotWrite(file, error)
    }),
    (descriptor) => Effect.sync(() => closeSync(descriptor))
  ).pipe(
    Effect.flatMap((descriptor) =>
      Effect.gen(function*() {
        const there = fstatSync(descriptor).isFile() ? readFileSync(descriptor, "utf8") : ""
        const [first] = parseAnchors(there)
        if (first !== undefined && Result.isFailure(first.anchor)) {
          return yield* Effect.fail(
            usageError(`${file} is no file of anchors: line ${first.line} is ${first.anchor.failure}`)
          )
        }
        let before = endsWithinLine(there) ? "\n" : ""
        return (anchor: AnchorDocument) =>
          Effect.try({
            try: () => {
              writeSync(descriptor, `${before}${JSON.stringify(anchor)}\n`)
              before = ""
              if (fstatSync(descriptor).isFile()) fsyncSync(descriptor)
            },
            catch: (error) => cannotWrite(file, error)
          })
      })
    )
  )

const noSeal = new CliError(
  "no-seal",
  exitCodes.notFound,
  "there is no seal yet",
  "a scan is sealed when it ends: sov scan"
)

/** Notes that the webhook waits, if an endpoint subscribes to the event and no worker delivers webhooks. */
const noteWaiting = Effect.fnUntraced(function*(out: Output, organization: Organization) {
  const endpoints = yield* listEndpoints(organization.id)
  const subscribed = endpoints.some(({ disabledReason, events }) =>
    disabledReason === null && events.includes("archive.anchored")
  )
  if (!subscribed || (yield* listWorkers()).length > 0) return
  out.note("the webhook of archive.anchored is delivered when sov serve or sov worker runs")
})

/** Creates the anchor, with a time stamp if an authority is given. */
const makeAnchor = (organization: Organization, tsa: string | undefined) =>
  tsa === undefined
    ? anchorChain(organization.id)
    : anchorChain(organization.id, (anchor) => stampAnchor(anchor, tsa)).pipe(Effect.provide(timeStamps))

/** Runs `sov archive anchor`. */
export const anchor = (options: AnchorOptions) =>
  runCommand(options, {}, function*({ out }) {
    const organizations = options.all === true ? yield* listOrganizations() : [yield* currentOrganization(options)]
    const append = options.out === undefined ? null : yield* openAnchorFile(options.out)
    const anchors: Array<AnchorDocument> = []
    for (const organization of organizations) {
      const anchor = yield* makeAnchor(organization, options.tsa)
      if (anchor === null) {
        if (options.all === true) out.note(`${organization.slug}: there is no seal yet`)
        continue
      }
      if (append !== null) yield* append(anchor)
      anchors.push(anchor)
      yield* noteWaiting(out, organization)
    }
    const [first] = anchors
    if (first === undefined) return yield* Effect.fail(noSeal)
    if (out.format !== "table") {
      if (options.all === true) out.list(anchors, [], { empty: "" })
      else out.result(first, () => "")
    } else {
      for (const one of anchors) {
        out.line(
          options.out === undefined ? JSON.stringify(one) : `head ${formatAnchor(one)} added to ${options.out}`
        )
      }
    }
  })
