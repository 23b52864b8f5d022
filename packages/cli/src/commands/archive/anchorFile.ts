/** Reads a file of anchors, against which a chain is checked. */
import {
  type AnchorDocument,
  type ArchiveProblem,
  checkTimeStamp,
  type NotedSeal,
  parseAnchors,
  toNotedSeal
} from "@sov/core/archive"
import { pluralized } from "@sov/core/common"
import { Effect, Result } from "effect"
import { X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"
import { CliError, usageError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { timeStamps } from "../../runtime.ts"

/** An anchor and its line number. */
interface PlacedAnchor {
  readonly anchor: AnchorDocument
  readonly line: number
}

/** The anchors of one organization in a file. */
export interface AnchorFile {
  readonly anchors: ReadonlyArray<PlacedAnchor>
  /** Number of anchors that belong to other organizations. */
  readonly others: number
  /** Lines that are not anchors, and time stamps that are not valid. */
  readonly problems: ReadonlyArray<ArchiveProblem>
  /** Times in the valid time stamps, in ascending order. */
  readonly stampedAt: ReadonlyArray<Date>
  /** Whether the signers of the time stamps were checked against trusted certificates. */
  readonly signersChecked: boolean
}

/** Reads a text file; `-` is stdin. */
export const readText = (file: string) =>
  Effect.try({
    try: () => readFileSync(file === "-" ? 0 : file, "utf8"),
    catch: (error) => usageError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? "error"}`)
  })

/** The certificates of the trusted authorities in a file, as PEM. */
const readTrusted = Effect.fnUntraced(function*(file: string) {
  const pem = yield* readText(file)
  yield* Effect.try({
    try: () => new X509Certificate(pem),
    catch: () =>
      usageError(`${file} holds no certificate in PEM`, "it is the authority's root, for openssl -CAfile as well")
  })
  return pem
})

/** Checks the time stamps of anchors. */
const checkTimeStamps = Effect.fnUntraced(function*(anchors: ReadonlyArray<PlacedAnchor>, trusted: string | null) {
  const problems: Array<ArchiveProblem> = []
  const stampedAt: Array<Date> = []
  for (const { anchor, line } of anchors) {
    const at = yield* checkTimeStamp(anchor, trusted).pipe(
      Effect.catchTag("TimeStampError", ({ message }) =>
        Effect.sync(() => {
          problems.push({ what: "anchor", id: String(line), problem: "changed", detail: `its time stamp: ${message}` })
          return null
        }))
    )
    if (at !== null) stampedAt.push(at)
  }
  return { problems, stampedAt: stampedAt.toSorted((a, b) => a.getTime() - b.getTime()) }
}, Effect.provide(timeStamps))

/**
 * Reads the anchors of `organizationId` and checks their time stamps; with `tsaCa`, also checks who signed them. Fails
 * if the file has no anchor of this organization, because nothing would be checked.
 */
export const readAnchorFile = Effect.fnUntraced(function*(file: string, organizationId: string, tsaCa?: string) {
  const text = yield* readText(file)
  const trusted = tsaCa === undefined ? null : yield* readTrusted(tsaCa)
  const own: Array<PlacedAnchor> = []
  const problems: Array<ArchiveProblem> = []
  let others = 0
  for (const { anchor, line } of parseAnchors(text)) {
    if (Result.isFailure(anchor)) {
      problems.push({ what: "anchor", id: String(line), problem: "changed", detail: anchor.failure })
    } else if (anchor.success.organization_id !== organizationId) others++
    else own.push({ anchor: anchor.success, line })
  }
  if (own.length === 0) {
    return yield* Effect.fail(
      new CliError(
        "no-anchor",
        exitCodes.checkFailed,
        `${file} has no anchor of organization ${organizationId}` +
          (others === 0 ? "" : `, and ${pluralized(others, "anchor")} of others`),
        "sov archive anchor makes one"
      )
    )
  }
  const stamps = yield* checkTimeStamps(own, trusted)
  return {
    anchors: own,
    others,
    problems: [...problems, ...stamps.problems],
    stampedAt: stamps.stampedAt,
    signersChecked: trusted !== null
  } satisfies AnchorFile
})

/** The anchored seals. The chain must contain all of them. */
export const listAnchoredSeals = ({ anchors }: AnchorFile): ReadonlyArray<NotedSeal> =>
  anchors.map(({ anchor, line }) => toNotedSeal(anchor, line))

/** The newest anchored seal. No anchor covers the seals after it. */
const newestOf = ({ anchors }: AnchorFile): AnchorDocument =>
  anchors.map(({ anchor }) => anchor).reduce((a, b) => b.sequence > a.sequence ? b : a)

/** The result of the check for programs, without its problems. */
export const anchorFacts = (file: AnchorFile) => ({
  anchors: {
    checked: file.anchors.length,
    other_organizations: file.others,
    newest_sequence: newestOf(file).sequence,
    time_stamps: file.stampedAt.length,
    first_time_stamp: file.stampedAt[0]?.toISOString() ?? null,
    last_time_stamp: file.stampedAt.at(-1)?.toISOString() ?? null,
    signers_checked: file.signersChecked
  }
})

/** The result of checking the time stamps, for people. */
const stampLines = ({ anchors, signersChecked, stampedAt }: AnchorFile): ReadonlyArray<string> => {
  const [first] = stampedAt
  if (first === undefined) return anchors.some(({ anchor }) => anchor.time_stamp) ? [] : ["none has a time stamp"]
  return [
    `${pluralized(stampedAt.length, "time stamp")} as stamped, ${first.toISOString()} to ${
      stampedAt.at(-1)!.toISOString()
    }; ${
      signersChecked ? "each signer leads to a trusted certificate" : "who signed was not checked: --tsa-ca FILE does"
    }`
  ]
}

/** The result of the check, for people. */
export const anchorLines = (file: AnchorFile): ReadonlyArray<string> => {
  const newest = newestOf(file)
  return [
    `${
      pluralized(file.anchors.length, "anchor")
    } compared, up to seal ${newest.sequence}, anchored at ${newest.anchored_at}`,
    ...stampLines(file),
    ...file.others === 0 ? [] : [`${pluralized(file.others, "anchor")} of other organizations not compared`]
  ]
}
