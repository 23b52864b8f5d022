import { Effect, Stream } from "effect"
import {
  type Anchor,
  type ArchiveProblem,
  findAnswerProblem,
  listFactProblems,
  listPlanProblems,
  makeChainChecker,
  type NotedSeal
} from "../../domain/archive/ArchiveProblem.ts"
import { type ExportedSeal, readContextLine, readExportedRow } from "../../domain/archive/ExportContext.ts"
import { leafInputFromRow } from "../../domain/archive/Proof.ts"
import type { AnswerId, ScanId } from "../../domain/ids.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import type { VerifyListener } from "./verifyArchive.ts"

/** The files of an NDJSON export as lines. */
export interface ExportFiles<E> {
  readonly rows: Stream.Stream<string, E>
  /** Lines of the context file, each with its byte offset. */
  readonly context: Stream.Stream<{ readonly text: string; readonly at: number }, E>
  /** Reads one line of the context file again. */
  readonly contextAt: (at: number) => Effect.Effect<string, E>
}

/** Findings of a check of an export. */
export interface ExportVerdict {
  readonly rows: number
  /** Number of rows that match their seal. */
  readonly sealed: number
  /** Rows without a seal in the export, with their scans; at most 1,000 are named. */
  readonly unsealed: {
    readonly rows: number
    readonly named: ReadonlyArray<{ readonly id: string; readonly line: number }>
  }
  readonly seals: number
  /** Number of seals of earlier versions, which cover no facts of their scan. */
  readonly withoutFacts: number
  readonly head: Anchor | null
}

const maxNamedAnswers = 1000

interface OpenLeaf {
  readonly hash: Uint8Array
  readonly sequence: number
  readonly sound: boolean
}

/** What a file must contain and match. */
export interface ExportClaim {
  /** Seals that were recorded elsewhere. */
  readonly noted: ReadonlyArray<NotedSeal>
  /** All answers of the seals up to this number must be in the file; 0 for a partial export. */
  readonly wholeUpTo: number
}

/** Describes what is missing from a seal in an export without filters. */
const describeOmission = ({ header, leaves }: ExportedSeal): string | null => {
  if (leaves === null) return "its leaves are left out, and the export is of everything"
  const nameless = leaves.filter(({ id }) => id === null).length
  return nameless === 0
    ? null
    : `${nameless} of its ${header.leafCount} leaves name no answer, and the export is of everything`
}

/** Reads the context once: checks the chain, and records the offsets of each scan's seals. */
const indexSeals = Effect.fnUntraced(function*<E>(
  files: ExportFiles<E>,
  { noted, wholeUpTo }: ExportClaim,
  onProblem: VerifyListener["onProblem"]
) {
  /** The sealed scans by id; empty if the file should contain none of their answers. */
  const scans = new Map<ScanId, Scan>()
  const sets = new Map<number, TrackedSet>()
  const places = new Map<ScanId, Array<{ readonly at: number; readonly sound: boolean }>>()
  const found: Array<ArchiveProblem> = []
  const chain = makeChainChecker((problem) => found.push(problem), noted)
  let number = 0
  let withoutFacts = 0
  yield* Stream.runForEach(files.context, ({ at, text }) => {
    number++
    const line = readContextLine(text)
    if (line === null) {
      found.push({
        what: "line",
        id: String(number),
        problem: "changed",
        detail: "of the context file: it says nothing known"
      })
    } else if ("tracked_set" in line) sets.set(line.tracked_set.version, line.tracked_set)
    else if ("scan" in line) scans.set(line.scan.id, line.scan)
    else if ("seal" in line) {
      const { header, leaves } = line.seal
      const sound = chain.next(header, leaves)
      found.push(...listPlanProblems(header, sound))
      if (header.facts === undefined) withoutFacts++
      else if (scans.has(header.scanId) || header.sequence <= wholeUpTo) {
        const set = sets.get(header.facts.tracked_set) ?? null
        found.push(
          ...listFactProblems(header, scans.get(header.scanId) ?? null, set, sound && !places.has(header.scanId))
        )
      }
      const held = leaves?.some(({ id }) => id !== null) === true
      places.set(header.scanId, [...places.get(header.scanId) ?? [], ...held ? [{ at, sound }] : []])
      const detail = header.sequence > wholeUpTo ? null : describeOmission(line.seal)
      if (detail !== null) found.push({ what: "seal", id: String(header.sequence), problem: "changed", detail })
    }
    return Effect.forEach(found.splice(0), onProblem, { discard: true })
  })
  const ended = chain.end()
  yield* Effect.forEach(found, onProblem, { discard: true })
  return { places, withoutFacts, ...ended }
})

/**
 * Checks an NDJSON export against the seals beside it, without a database. Compares each row with its leaf; every row
 * of a sealed scan must have a leaf. Keeps the leaves of a scan in memory from its first row to its last.
 */
export const verifyExport = Effect.fn("verifyExport")(function*<E>(
  files: ExportFiles<E>,
  { onAnswers, onProblem }: VerifyListener,
  claim: ExportClaim
) {
  const { head, places, seals, withoutFacts } = yield* indexSeals(files, claim, onProblem)
  const open = new Map<ScanId, Map<AnswerId, OpenLeaf>>()
  const closed = new Set<ScanId>()

  const readLeaves = Effect.fnUntraced(function*(scanId: ScanId) {
    const leaves = new Map<AnswerId, OpenLeaf>()
    for (const { at, sound } of places.get(scanId) ?? []) {
      const line = readContextLine(yield* files.contextAt(at)) as { readonly seal: ExportedSeal }
      for (const { hash, id } of line.seal.leaves ?? []) {
        if (id !== null) leaves.set(id, { hash, sequence: line.seal.header.sequence, sound })
      }
    }
    return leaves
  })

  const unsealed = { rows: 0, named: [] as Array<{ readonly id: string; readonly line: number }> }
  let rows = 0
  let sealed = 0
  yield* Stream.runForEach(
    files.rows,
    Effect.fnUntraced(function*(text) {
      rows++
      onAnswers(1)
      const row = readExportedRow(text)
      if (row === null) {
        return yield* onProblem({
          what: "line",
          id: String(rows),
          problem: "changed",
          detail: "it is no answer as an export writes it"
        })
      }
      const known = open.get(row.scan_id)
      const leaves = known ?? (closed.has(row.scan_id) ? new Map<AnswerId, OpenLeaf>() : yield* readLeaves(row.scan_id))
      if (known === undefined) open.set(row.scan_id, leaves)
      const leaf = leaves.get(row.id)
      if (leaf === undefined) {
        if (places.has(row.scan_id)) {
          yield* onProblem({
            what: "answer",
            id: row.id,
            problem: "added",
            detail: `line ${rows}: its scan is sealed without it`
          })
        } else {
          unsealed.rows++
          if (unsealed.named.length < maxNamedAnswers) unsealed.named.push({ id: row.id, line: rows })
        }
      } else {
        leaves.delete(row.id)
        const problem = findAnswerProblem(leafInputFromRow(row), { id: row.id, hash: leaf.hash }, {
          sound: true,
          stored: null
        })
        if (problem === null) sealed++
        else if (leaf.sound) yield* onProblem({ ...problem, detail: `line ${rows}: ${problem.detail}` })
      }
      if (leaves.size === 0) {
        open.delete(row.scan_id)
        closed.add(row.scan_id)
      }
    })
  )
  for (const scanId of places.keys()) {
    if (closed.has(scanId)) continue
    for (const [id, { sequence }] of open.get(scanId) ?? (yield* readLeaves(scanId))) {
      yield* onProblem({
        what: "answer",
        id,
        problem: "removed",
        detail: `seal ${sequence} holds it, the file does not`
      })
    }
  }
  const verdict: ExportVerdict = { rows, sealed, unsealed, seals, withoutFacts, head }
  return verdict
})
