import { Array, Effect, Option, Stream } from "effect"
import {
  type Anchor,
  type ArchiveProblem,
  findAnswerProblem,
  makeChainChecker,
  type NotedSeal
} from "../../domain/archive/ArchiveProblem.ts"
import { hashLeaf, type Leaf, type Seal, toSealHeader } from "../../domain/archive/Seal.ts"
import type { AnswerId, OrganizationId, ScanId } from "../../domain/ids.ts"
import { pluralized } from "../../domain/wording.ts"
import { ArchiveStore, type SealedAnswer } from "../../ports/ArchiveStore.ts"
import { type SealCoverage, SealStore } from "../../ports/SealStore.ts"
import { makeFactChecker } from "./makeFactChecker.ts"

/** Findings of a check of the archive. */
export interface ArchiveVerdict {
  /** Number of leaves that were compared with their answers. */
  readonly sealed: number
  /** How many of these arrived after their scan had ended and got a separate seal. */
  readonly late: number
  /** Number of answers of running scans, which have no proof until their scan ends. */
  readonly unsealed: number
  readonly runningScans: number
  readonly seals: number
  /** Number of seals of earlier versions, which cover no facts of their scan. */
  readonly withoutFacts: number
  readonly head: Anchor | null
  /** Findings about payloads; null if the check did not include them. */
  readonly payloads: PayloadVerdict | null
}

/** The result of comparing payloads with the hashes that leaves cover. */
export interface PayloadVerdict {
  /** Number of payloads whose hash is the sealed one. */
  readonly sealed: number
  /** Number of answers whose payload no seal covers (leaf version 1), or that were imported without it. */
  readonly unproven: number
}

/** Receives the results of a check while it runs. */
export interface VerifyListener {
  readonly onProblem: (problem: ArchiveProblem) => Effect.Effect<void>
  /** Called with the number of answers compared since the last call. */
  readonly onAnswers: (answers: number) => void
}

/** Maximum number of answers that one statement reads; fewer if they are long. */
const maxAnswers = 200
const pageLength = 4_194_304
const scansPerPage = 100
/** Approximate number of leaves of the seals that one statement reads. */
const leavesPerPage = 2_000

const toHex = (hash: Uint8Array): string => Buffer.from(hash).toString("hex")

/** Reports that two answers share an id, which is possible only if the constraints of the database were removed. */
const describeDuplicate = (id: AnswerId): ArchiveProblem => ({
  what: "answer",
  id,
  problem: "added",
  detail: "it stands there more than once"
})

/** Compares the payload of a sealed answer with the hash that its leaf covers. */
const checkPayload = ({ payloadFound, provenance }: SealedAnswer): keyof PayloadVerdict | "changed" =>
  provenance == null || payloadFound == null
    ? "unproven"
    : payloadFound === provenance.payloadSha256
    ? "sealed"
    : "changed"

const describeChangedPayload = (id: AnswerId): ArchiveProblem => ({
  what: "answer",
  id,
  problem: "changed",
  detail: "its payload does not have the hash that was sealed"
})

/** Leaves whose answers are missing, by their hash. */
type MissingLeaves = Map<string, { readonly leaf: Leaf; readonly sequence: number }>

interface LeafPage {
  readonly sequence: number
  readonly sound: boolean
  readonly leaves: ReadonlyArray<Leaf>
}

/** Splits the leaves of a seal into pages, whose size depends on the length of the answers. */
function* splitLeaves({ leaves, sequence }: Seal, sound: boolean, size: { limit: number }): Generator<LeafPage> {
  for (let from = 0; from < leaves.length;) {
    const page = leaves.slice(from, from + size.limit)
    from += page.length
    yield { sequence, sound, leaves: page }
  }
}

/** Reports answers that no seal covers. */
const reportUncoveredAnswers = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  { scanId, seals, status, unsealed }: SealCoverage,
  missing: MissingLeaves,
  { onProblem }: VerifyListener
) {
  if (seals === 0) {
    if (status === "running") return
    const answers = pluralized(unsealed.length, "answer")
    const detail = `${status === null ? "it is not there" : `it is ${status}`}, has ${answers}, and no seal names it`
    return yield* onProblem({ what: "scan", id: scanId, problem: "unsealed", detail })
  }
  if (unsealed.length === 0) return
  // If a leaf has a changed id, the fault is the seal's and not the answer's
  const known = missing.size === 0 ? [] : yield* (yield* ArchiveStore).listSealed(organizationId, unsealed)
  const hashes = new Map<AnswerId, string>(known.map((answer) => [answer.id, toHex(hashLeaf(answer))]))
  for (const id of unsealed) {
    const hash = hashes.get(id) ?? ""
    const found = missing.get(hash)
    if (found === undefined) {
      yield* onProblem({ what: "answer", id, problem: "added", detail: "its scan is sealed without it" })
      continue
    }
    missing.delete(hash)
    yield* onProblem({
      what: "seal",
      id: String(found.sequence),
      problem: "changed",
      detail: `it names ${found.leaf.id} in place of ${id}`
    })
  }
})

/**
 * Checks the archive of an organization against its seals: the chain, every leaf with its answer, and that every answer
 * of an ended scan has a seal. Reads page by page, one statement per page. Scans may run at the same time: an answer
 * and its seal commit together, so unfinished work never counts as a fault. With `payloads`, the payloads are hashed;
 * otherwise their stored hashes are checked. `noted` are seals that were recorded elsewhere.
 */
export const verifyArchive = Effect.fn("verifyArchive")(function*(
  organizationId: OrganizationId,
  listener: VerifyListener,
  noted: ReadonlyArray<NotedSeal> = [],
  { payloads } = { payloads: false }
) {
  const seals = yield* SealStore
  const found: Array<ArchiveProblem> = []
  const reportFound = Effect.suspend(() => Effect.forEach(found.splice(0), listener.onProblem, { discard: true }))
  const chain = makeChainChecker((problem) => found.push(problem), noted)
  const archive = yield* ArchiveStore
  const missing: MissingLeaves = new Map()
  const size = { limit: maxAnswers }
  const hashed = { sealed: 0, unproven: 0 }

  const findFactProblems = yield* makeFactChecker(organizationId)

  let sealed = 0
  let withoutFacts = 0
  yield* Stream.paginate(
    { after: null as number | null, limit: 1 },
    ({ after, limit }) =>
      Effect.map(seals.page(organizationId, { after, limit }), (page) => {
        const leaves = page.reduce((sum, seal) => sum + seal.leaves.length, 0)
        const next = Math.max(1, Math.min(100, Math.floor(leavesPerPage * page.length / Math.max(1, leaves))))
        return [page, Option.map(Array.last(page), ({ sequence }) => ({ after: sequence, limit: next }))] as const
      })
  ).pipe(
    Stream.mapEffect((seal) => {
      const sound = chain.next(toSealHeader(seal), seal.leaves)
      if (seal.facts === undefined) withoutFacts++
      return findFactProblems(seal, sound).pipe(
        Effect.map((problems) => found.push(...problems)),
        Effect.andThen(reportFound),
        Effect.as(splitLeaves(seal, sound, size))
      )
    }),
    Stream.flatMap(Stream.fromIterable),
    Stream.mapEffect(
      (page) =>
        Effect.map(
          archive.listSealed(organizationId, page.leaves.map(({ id }) => id), { payloads }),
          (found) => ({ ...page, found })
        ),
      // The next page is read while this page is hashed
      { concurrency: 2 }
    ),
    Stream.runForEach(Effect.fnUntraced(function*({ found, leaves, sequence, sound }) {
      const byId = Map.groupBy(found, ({ id }) => id)
      for (const leaf of leaves) {
        const answers = byId.get(leaf.id) ?? []
        if (answers.length === 0) missing.set(toHex(leaf.hash), { leaf, sequence })
        if (answers.length > 1) yield* listener.onProblem(describeDuplicate(leaf.id))
        for (const answer of answers) {
          const problem = findAnswerProblem(answer, leaf, { sound, stored: answer.leafHash })
          if (problem !== null) yield* listener.onProblem(problem)
          if (!payloads) continue
          const state = checkPayload(answer)
          if (state === "changed") yield* listener.onProblem(describeChangedPayload(answer.id))
          else hashed[state]++
        }
      }
      sealed += leaves.length
      listener.onAnswers(leaves.length)
      const length = found.reduce((sum, { rawResponse }) => sum + rawResponse.length, 0)
      size.limit = Math.max(1, Math.min(maxAnswers, Math.floor(pageLength * leaves.length / Math.max(1, length))))
    }))
  )
  const { head, seals: sealCount } = chain.end()
  yield* reportFound

  const verdict = {
    sealed,
    late: 0,
    unsealed: 0,
    runningScans: 0,
    seals: sealCount,
    withoutFacts,
    head,
    payloads: payloads ? hashed : null
  }
  let after: ScanId | null = null
  do {
    const page: ReadonlyArray<SealCoverage> = yield* seals.coverage(organizationId, { after, limit: scansPerPage })
    for (const scan of page) {
      verdict.late += scan.lateLeaves
      if (scan.seals === 0 && scan.status === "running") {
        verdict.runningScans++
        verdict.unsealed += scan.unsealed.length
      }
      yield* reportUncoveredAnswers(organizationId, scan, missing, listener)
    }
    after = page.at(-1)?.scanId ?? null
  } while (after !== null)

  for (const { leaf, sequence } of missing.values()) {
    yield* listener.onProblem({
      what: "answer",
      id: leaf.id,
      problem: "removed",
      detail: `seal ${sequence} holds it, the archive does not`
    })
  }
  const result: ArchiveVerdict = verdict
  return result
})
