/** Compares answers with their seals while another task, such as an export, reads them. */
import { Effect } from "effect"
import {
  type Anchor,
  type ArchiveProblem,
  findAnswerProblem,
  makeChainChecker
} from "../../domain/archive/ArchiveProblem.ts"
import type { ArchiveRow } from "../../domain/archive/ArchiveRow.ts"
import { provenanceFromRow } from "../../domain/archive/Proof.ts"
import { hashLeaf, type LeafInput, toSealHeader } from "../../domain/archive/Seal.ts"
import type { AnswerId, OrganizationId, ScanId } from "../../domain/ids.ts"
import { ArchiveStore } from "../../ports/ArchiveStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { SealStore } from "../../ports/SealStore.ts"

const toLeafInput = (row: ArchiveRow): LeafInput => ({ ...row, provenance: provenanceFromRow(row) })

interface OpenLeaf {
  readonly hash: Uint8Array
  readonly sequence: number
  readonly sound: boolean
  seen: boolean
}

/** The leaves of a scan, and the page whose answers caused them to be read. */
interface OpenScan {
  readonly leaves: ReadonlyMap<AnswerId, OpenLeaf>
  /** Whether one of the scan's seals is damaged. Then a missing leaf proves nothing. */
  readonly damaged: boolean
  readonly page: number
}

/** Maximum number of leaves in memory. The leaves of the least recently read scans are dropped first. */
const maxLeaves = 100_000
const headersPerPage = 100
const sealsPerPage = 20

/**
 * Creates a checker that compares pages of answers, newest first, with the seals of their scans. It reads the seals of
 * a scan once, at its first answer. `head` is the newest seal when reading began; null if there was no seal. A seal
 * made later is not a fault, and neither is an unsealed answer of a running scan.
 */
export const makeSealChecker = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  head: Anchor | null,
  onProblem: (problem: ArchiveProblem) => Effect.Effect<void>
) {
  const [archive, scans, seals] = yield* Effect.all([ArchiveStore, ScanStore, SealStore])
  const open = new Map<ScanId, OpenScan>()
  const namedSeals = new Set<string>()
  let held = 0
  let pages = 0
  let sealed = 0

  /** Reports a seal only once, although its leaves and its place in the chain are checked separately. */
  const report = (problem: ArchiveProblem) =>
    Effect.suspend(() => {
      if (problem.what === "answer") return onProblem(problem)
      const name = `${problem.what} ${problem.id}`
      if (namedSeals.has(name)) return Effect.void
      namedSeals.add(name)
      return onProblem(problem)
    })
  const reportAll = (problems: ReadonlyArray<ArchiveProblem>) => Effect.forEach(problems, report, { discard: true })

  /** The scan is read before its seals: an ended scan was sealed when it ended, so its seals exist by then. */
  const readSeals = Effect.fnUntraced(function*(scanId: ScanId) {
    const found = yield* seals.ofScan(organizationId, scanId)
    if (found.length > 0) return found
    const scan = yield* scans.find(organizationId, scanId)
    if (scan?.status === "running") return found
    const again = yield* seals.ofScan(organizationId, scanId)
    if (again.length === 0) {
      const detail = `${scan === null ? "it is not there" : `it is ${scan.status}`}, has answers, and no seal names it`
      yield* report({ what: "scan", id: scanId, problem: "unsealed", detail })
    }
    return again
  })

  const openScan = Effect.fnUntraced(function*(scanId: ScanId) {
    held -= open.get(scanId)?.leaves.size ?? 0
    open.delete(scanId)
    const leaves = new Map<AnswerId, OpenLeaf>()
    let damaged = false
    for (const seal of yield* readSeals(scanId)) {
      const { sequence } = seal
      const found: Array<ArchiveProblem> = []
      const sound = makeChainChecker((problem) => found.push(problem), [], sequence).next(
        toSealHeader(seal),
        seal.leaves
      )
      damaged ||= !sound
      yield* reportAll(found.map((problem) => ({ ...problem, detail: `scan ${scanId}: ${problem.detail}` })))
      for (const { hash, id } of seal.leaves) leaves.set(id, { hash, sequence, sound, seen: false })
    }
    const opened: OpenScan = { leaves, damaged, page: pages }
    open.set(scanId, opened)
    held += leaves.size
    for (const [oldest, { leaves: { size } }] of open) {
      if (held <= maxLeaves || oldest === scanId) break
      open.delete(oldest)
      held -= size
    }
    return opened
  })

  /** The leaves of the row's scan. If an answer has no leaf, it may be late, so the leaves are read again. */
  const openFor = ({ id, scanId }: ArchiveRow) => {
    const known = open.get(scanId)
    return known === undefined || (known.leaves.size > 0 && known.page < pages && !known.leaves.has(id))
      ? openScan(scanId)
      : Effect.succeed(known)
  }

  const count = ({ sequence }: OpenLeaf) => {
    if (sequence <= (head?.sequence ?? 0)) sealed++
  }

  const compare = Effect.fnUntraced(function*(row: ArchiveRow, leaf: OpenLeaf) {
    const { hash, sequence, sound } = leaf
    // This is possible only if the constraints of the database were removed
    if (leaf.seen) {
      yield* report({ what: "answer", id: row.id, problem: "added", detail: "it stands there more than once" })
    } else count(leaf)
    leaf.seen = true
    if (!sound) return
    const problem = findAnswerProblem(toLeafInput(row), { id: row.id, hash }, { sound, stored: null })
    if (problem === null) return
    yield* report({ ...problem, detail: `seal ${sequence} of scan ${row.scanId}: ${problem.detail}` })
  })

  /**
   * Reports an answer that no seal of its scan contains. If a leaf has a changed id, the fault is the seal's and not
   * the answer's.
   */
  const reportUnnamed = (row: ArchiveRow, { damaged, leaves }: OpenScan) => {
    if (leaves.size === 0) return Effect.void
    const hash = hashLeaf(toLeafInput(row))
    const [id, leaf] = [...leaves].find(([, leaf]) => !leaf.seen && Buffer.compare(leaf.hash, hash) === 0) ?? []
    if (leaf !== undefined) {
      leaf.seen = true
      count(leaf)
      const detail = `scan ${row.scanId}: it names ${id} in place of ${row.id}`
      return report({ what: "seal", id: String(leaf.sequence), problem: "changed", detail })
    }
    if (damaged) return Effect.void
    const detail = `its scan ${row.scanId} is sealed without it`
    return report({ what: "answer", id: row.id, problem: "added", detail })
  }

  return {
    checkPage: Effect.fnUntraced(function*(page: ReadonlyArray<ArchiveRow>) {
      pages++
      for (const row of page) {
        const known = open.get(row.scanId)
        const scan = known?.leaves.has(row.id) === true ? known : yield* openFor(row)
        const leaf = scan.leaves.get(row.id)
        if (leaf === undefined) yield* reportUnnamed(row, scan)
        else yield* compare(row, leaf)
      }
    }),

    /**
     * Checks the chain up to `head`. If `all` answers were read, also reports sealed answers that are missing. Their
     * number shows whether any are missing, unless an earlier run has read some.
     */
    checkChain: Effect.fnUntraced(function*(read: "some" | "all" | "all, in several runs") {
      if (head === null) return
      const found: Array<ArchiveProblem> = []
      const { end: endChain, next } = makeChainChecker((problem) => found.push(problem), [head])
      let leaves = 0
      for (let after = 0; after < head.sequence;) {
        const limit = Math.min(headersPerPage, head.sequence - after)
        const headers = yield* seals.headers(organizationId, { after, limit })
        for (const header of headers.filter(({ sequence }) => sequence <= head.sequence)) {
          next(header, null)
          leaves += header.leafCount
        }
        after = headers.at(-1)?.sequence ?? head.sequence
      }
      endChain()
      yield* reportAll(found)
      if (read === "some" || (read === "all" && sealed === leaves)) return
      for (let after = 0; after < head.sequence;) {
        const page = yield* seals.page(organizationId, { after, limit: sealsPerPage })
        for (const { leaves, scanId, sequence } of page.filter(({ sequence }) => sequence <= head.sequence)) {
          const there = yield* archive.filterIds(organizationId, {}, leaves.map(({ id }) => id))
          for (const { id } of leaves) {
            if (there.has(id) || namedSeals.has(`seal ${sequence}`)) continue
            const detail = `seal ${sequence} of scan ${scanId} holds it, the archive does not`
            yield* report({ what: "answer", id, problem: "removed", detail })
          }
        }
        after = page.at(-1)?.sequence ?? head.sequence
      }
    })
  }
})
export type SealChecker = Effect.Success<ReturnType<typeof makeSealChecker>>
