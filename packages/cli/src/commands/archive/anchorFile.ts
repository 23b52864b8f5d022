/** A file of anchors, read to check a chain against it. */
import {
  type AnchorDocument,
  type ArchiveProblem,
  type NotedSeal,
  parseAnchors,
  pluralized,
  toNotedSeal
} from "@sov/core"
import { Effect, Result } from "effect"
import { readFileSync } from "node:fs"
import { CliError, usageError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"

/** An anchor with its line. */
interface PlacedAnchor {
  readonly anchor: AnchorDocument
  readonly line: number
}

/** The anchors of one organization in a file. */
export interface AnchorFile {
  readonly anchors: ReadonlyArray<PlacedAnchor>
  /** Anchors of other organizations. */
  readonly others: number
  /** Lines that are no anchors. */
  readonly problems: ReadonlyArray<ArchiveProblem>
}

/** Reads the anchors of `organizationId`. Fails where the file has none: nothing would be checked. */
export const readAnchorFile = Effect.fnUntraced(function*(file: string, organizationId: string) {
  const text = yield* Effect.try({
    try: () => readFileSync(file === "-" ? 0 : file, "utf8"),
    catch: (error) => usageError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? "error"}`)
  })
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
  return { anchors: own, others, problems } satisfies AnchorFile
})

/** The seals that a chain is to contain. */
export const notedSeals = ({ anchors }: AnchorFile): ReadonlyArray<NotedSeal> =>
  anchors.map(({ anchor, line }) => toNotedSeal(anchor, line))

/** The newest anchored seal: no anchor covers those after it. */
const newestOf = ({ anchors }: AnchorFile): AnchorDocument =>
  anchors.map(({ anchor }) => anchor).reduce((a, b) => b.sequence > a.sequence ? b : a)

/** What programs get of the check, beside its problems. */
export const anchorFacts = (file: AnchorFile) => ({
  anchors: { checked: file.anchors.length, other_organizations: file.others, newest_sequence: newestOf(file).sequence }
})

/** What people read of it. */
export const anchorLines = (file: AnchorFile): ReadonlyArray<string> => {
  const newest = newestOf(file)
  return [
    `${
      pluralized(file.anchors.length, "anchor")
    } compared, up to seal ${newest.sequence}, anchored at ${newest.anchored_at}`,
    ...file.others === 0 ? [] : [`${pluralized(file.others, "anchor")} of other organizations not compared`]
  ]
}
