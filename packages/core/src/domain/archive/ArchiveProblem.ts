/** Checks of the archive against its seals, and the problems they report. */
import type { AnswerId } from "../ids.ts"
import type { Scan } from "../scanning/Scan.ts"
import type { TrackedSet } from "../tracking/TrackedSet.ts"
import { hashLeaf, hashSeal, type Leaf, type LeafInput, merkleRoot, type SealHeader } from "./Seal.ts"
import { isSealedSet, listScanDifferences, scanFactsOf } from "./SealFacts.ts"

/**
 * One difference from the sealed state. `id` is the id of an answer or scan, the number of a seal, or the number of a
 * line of a file; for an anchor, the number of its line. `unsealed`: the scan has ended without a seal.
 */
export interface ArchiveProblem {
  readonly what: "answer" | "experiment" | "seal" | "scan" | "line" | "file" | "anchor"
  readonly id: string
  readonly problem: "changed" | "removed" | "added" | "unsealed"
  readonly detail: string
}

/** A seal that is recorded outside the database; the chain must contain it. */
export interface Anchor {
  readonly sequence: number
  /** Lower-case hex. */
  readonly hash: string
}

/** An anchor with its origin, for reports. */
export interface NotedSeal extends Anchor {
  readonly where?: string
}

/** Parses an anchor of `formatAnchor`: `12:0f3a…`, number and hash. Null for other text. */
export const parseAnchor = (text: string): Anchor | null => {
  const found = /^([1-9]\d{0,8}):([0-9a-f]{64})$/.exec(text.trim())
  return found === null ? null : { sequence: Number(found[1]), hash: found[2]! }
}

/** The anchor of a seal, by which the seal and all seals before it can be checked. */
export const anchorFromSeal = ({ hash, sequence }: Pick<SealHeader, "hash" | "sequence">): Anchor => ({
  sequence,
  hash: Buffer.from(hash).toString("hex")
})

/** The printed form of an anchor: `12:0f3a…`, the seal's number and its hash. */
export const formatAnchor = ({ hash, sequence }: Anchor): string => `${sequence}:${hash}`

const areBytesEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

type Report = (problem: ArchiveProblem) => void

/** A leaf of a seal or of an export; `id` is null if the export does not contain the answer. */
export interface NamedLeaf {
  readonly id: AnswerId | null
  readonly hash: Uint8Array
}

/** Whether the leaves are in the order of their ids, which no hash covers. */
const areLeavesInOrder = (leaves: ReadonlyArray<NamedLeaf>): boolean => {
  let before = ""
  for (const { id } of leaves) {
    if (id === null) continue
    if (id <= before) return false
    before = id
  }
  return true
}

/**
 * Lists how a scan and its names differ from a seal; null if the scan or the names are missing. The first sound seal of
 * a scan (`saysEnd`) has the time at which the scan ended; seals of late answers have later times.
 */
export const listFactProblems = (
  { facts, scanId, sealedAt }: Pick<SealHeader, "facts" | "scanId" | "sealedAt">,
  scan: Scan | null,
  set: TrackedSet | null,
  saysEnd: boolean
): ReadonlyArray<ArchiveProblem> => {
  if (facts === undefined) return []
  const problem = (problem: "changed" | "removed", detail: string): ArchiveProblem => ({
    what: "scan",
    id: scanId,
    problem,
    detail
  })
  const isEnd = !saysEnd || scan?.completedAt?.getTime() === sealedAt.getTime()
  const ofScan = scanFactsOf(facts)
  const others = scan === null || ofScan === undefined
    ? []
    : [...listScanDifferences(ofScan, scan), ...isEnd ? [] : ["end"]]
  return [
    ...scan === null ? [problem("removed", "a seal is of it")] : [],
    ...others.length > 0 ? [problem("changed", `it was sealed with another ${others.join(", ")}`)] : [],
    ...set === null || !isSealedSet(facts, set)
      ? [problem("changed", `the names of version ${facts.tracked_set} are not those that were sealed with it`)]
      : []
  ]
}

/** Reports the experiment whose plan is in a seal that is not sound. */
export const listPlanProblems = (
  { facts, sequence }: Pick<SealHeader, "facts" | "sequence">,
  sound: boolean
): ReadonlyArray<ArchiveProblem> => {
  if (sound || facts === undefined || !("experiment" in facts)) return []
  const detail = `its plan, or what seal ${sequence} says beside it, is not what was sealed`
  return [{ what: "experiment", id: facts.experiment.id, problem: "changed", detail }]
}

/** A longer run of missing seals is reported as one range instead of one by one. */
const maxSealsNamedSingly = 100

/**
 * Checks seals in order: the hash of each seal, and its link to the seal before it. A chain without its last seals is
 * still consistent, and so is a chain that was built again; only `noted`, the seals that were recorded elsewhere,
 * reveal both. `first` is the number of the first seal, which is more than 1 for a part of the chain.
 */
export const makeChainChecker = (report: Report, noted: ReadonlyArray<NotedSeal> = [], first = 1) => {
  const notedBySequence = Map.groupBy(noted, ({ sequence }) => sequence)
  let before: { readonly header: SealHeader; readonly computed: Uint8Array; readonly named: boolean } | null = null
  let seals = 0
  const reportChangedSeal = (sequence: number, detail: string) =>
    report({ what: "seal", id: String(sequence), problem: "changed", detail })
  const reportRemovedSeals = (from: number, to: number) => {
    const detail = "the chain goes on without it"
    if (to - from >= maxSealsNamedSingly) report({ what: "seal", id: `${from}–${to}`, problem: "removed", detail })
    else for (let n = from; n <= to; n++) report({ what: "seal", id: String(n), problem: "removed", detail })
  }

  return {
    /**
     * Checks the next seal; `leaves` is null if unknown. Returns whether the leaves are the sealed ones, and each has
     * the right id, as far as their order shows.
     */
    next: (header: SealHeader, leaves: ReadonlyArray<NamedLeaf> | null): boolean => {
      const { sequence } = header
      seals++
      const expected = before === null ? first : before.header.sequence + 1
      if (sequence < expected) {
        report({
          what: "seal",
          id: String(sequence),
          problem: "added",
          detail: "it stands there twice or out of order"
        })
        return false
      }
      if (sequence > expected) reportRemovedSeals(expected, sequence - 1)
      const computed = hashSeal(header)
      const root = leaves === null ? header.root : merkleRoot(leaves.map(({ hash }) => hash))
      const ordered = leaves === null || areLeavesInOrder(leaves)
      const sound = ordered && areBytesEqual(hashSeal({ ...header, root }), header.hash)
      let fault = ""
      if (!areBytesEqual(computed, header.hash)) fault = "its hash is not the one of what it says"
      else if (!areBytesEqual(root, header.root)) fault = "its leaves do not make its root"
      else if (!ordered) fault = "its leaves do not stand in the order of their ids"
      else if (sequence === 1 && header.previous !== null) fault = "it is the first, and linked to another"
      if (fault !== "") reportChangedSeal(sequence, fault)
      if (sequence === expected && before !== null) {
        const linked = header.previous !== null &&
          (areBytesEqual(header.previous, before.computed) || areBytesEqual(header.previous, before.header.hash))
        // A valid seal that links to another hash shows that the seal before it was replaced
        if (!linked && fault === "" && !before.named) {
          reportChangedSeal(
            before.header.sequence,
            `seal ${sequence} was made after another seal ${before.header.sequence}`
          )
        }
      }
      const { hash } = anchorFromSeal(header)
      const others = fault === "" ? notedBySequence.get(sequence)?.filter((one) => one.hash !== hash) ?? [] : []
      for (const { where } of others) {
        reportChangedSeal(
          sequence,
          `its hash is not the one ${where === undefined ? "that was noted elsewhere" : `in ${where}`}`
        )
        fault = "noted"
      }
      notedBySequence.delete(sequence)
      before = { header, computed, named: fault !== "" }
      return sound
    },

    /** Call this after the last seal. */
    end: (): { readonly seals: number; readonly head: Anchor | null } => {
      for (const { sequence, where } of [...notedBySequence.values()].flat()) {
        report({
          what: "seal",
          id: String(sequence),
          problem: "removed",
          detail: `${
            where === undefined ? "it was noted elsewhere" : `it is in ${where}`
          }, and the chain does not hold it`
        })
      }
      return { seals, head: before === null ? null : anchorFromSeal(before.header) }
    }
  }
}

/**
 * Compares an answer with its leaf; null if it is unchanged. `stored` is the hash in the answer's row, if it has one.
 * If the leaves of the seal are not `sound`, an answer that matches its stored hash is not reported.
 */
export const findAnswerProblem = (
  answer: LeafInput,
  leaf: Leaf,
  { sound, stored }: { readonly sound: boolean; readonly stored: Uint8Array | null }
): ArchiveProblem | null => {
  const computed = hashLeaf(answer)
  const problem = (detail: string): ArchiveProblem => ({ what: "answer", id: leaf.id, problem: "changed", detail })
  if (areBytesEqual(computed, leaf.hash)) {
    return stored === null || areBytesEqual(stored, leaf.hash)
      ? null
      : problem("the hash kept beside it; its text is as it was sealed")
  }
  if (!sound && stored !== null && areBytesEqual(stored, computed)) return null
  return problem(
    answer.provenance == null
      ? "text, prompt, time, platform, keyword or scan are not what was sealed"
      : "text, prompt, time, platform, keyword, scan, model or sources are not what was sealed"
  )
}
