/** sov archive verify, proof, head: checks and shows what the seals prove. */
import {
  type Anchor,
  anchorFromSeal,
  type ArchiveProblem,
  checkProof,
  estimateAnswers,
  formatAnchor,
  isSealedExport,
  isWholeExport,
  parseProof,
  type PayloadVerdict,
  proveAnswer,
  readChainHead,
  verifyArchive
} from "@sov/core/archive"
import { AnswerId, NotFound, pluralized } from "@sov/core/common"
import { wholeHistory } from "@sov/core/organizations"
import { Effect, Result, Schema } from "effect"
import { resolve } from "node:path"
import { CliError, usageError } from "../../CliError.ts"
import { type ExitCode, exitCodes } from "../../exitCodes.ts"
import { headOption } from "../../input/headOption.ts"
import type { Output } from "../../output/Output.ts"
import { makeRowProgress, type RowProgress } from "../../output/rowProgress.ts"
import { formatGrouped, pluralizeGrouped } from "../../render/counted.ts"
import { runForOrganization, runWithoutDatabase } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { anchorFacts, type AnchorFile, anchorLines, listAnchoredSeals, readAnchorFile, readText } from "./anchorFile.ts"
import { checkExport, checkUnsealedExport } from "./checkExport.ts"
import { describeProblem } from "./describeProblem.ts"
import { readManifest } from "./exportManifest.ts"
import { flatHeap } from "./flatHeap.ts"

interface VerifyOptions extends GlobalOptions {
  readonly file?: string
  readonly proof?: string
  readonly head?: string
  readonly anchors?: string
  readonly tsaCa?: string
  readonly payloads?: boolean
}

/** Maximum number of problems in the report; `-o ndjson` prints each problem as it is found. */
const maxKeptProblems = 10_000

/** Collects the problems and prints the verdict. */
const makeProblemCollector = (out: Output, progress: RowProgress) => {
  const kept: Array<ArchiveProblem> = []
  let count = 0
  const onProblem = (problem: ArchiveProblem) =>
    Effect.sync(() => {
      count++
      if (out.format === "ndjson") out.line(JSON.stringify(problem))
      else if (kept.length < maxKeptProblems) kept.push(problem)
    })
  /** Prints the verdict: `facts` for programs; the problems, then `lines`, for people. */
  const finish = (facts: object, lines: ReadonlyArray<string>): ExitCode => {
    progress.clear()
    const valid = count === 0
    const summary = { valid, ...facts, problem_count: count }
    if (out.format === "ndjson") out.line(JSON.stringify(summary))
    else {
      out.result({ ...summary, problems: kept }, () =>
        [
          ...kept.map((problem) => `${out.style("red", "✗")} ${describeProblem(problem)}`),
          ...count > kept.length ? [`… and ${count - kept.length} more: -o ndjson names each`] : [],
          ...lines,
          valid
            ? out.style("green", "valid")
            : out.style("red", `not valid: ${pluralized(count, "fault")}`)
        ].join("\n"))
    }
    return valid ? exitCodes.ok : exitCodes.checkFailed
  }
  return { onProblem, onAnswers: progress.add, finish }
}

const headText = (head: Anchor | null): string => head === null ? "there is no seal yet" : `head ${formatAnchor(head)}`

/** The seals recorded elsewhere, from `--head` and from the file of `--anchors`; also reports problems of that file. */
const readNoted = Effect.fnUntraced(function*(
  options: VerifyOptions,
  organizationId: string,
  found: ReturnType<typeof makeProblemCollector>
) {
  const head = yield* headOption(options.head)
  const file: AnchorFile | null = options.anchors === undefined
    ? null
    : yield* readAnchorFile(options.anchors, organizationId, options.tsaCa)
  yield* Effect.forEach(file?.problems ?? [], found.onProblem, { discard: true })
  return {
    seals: [...head === null ? [] : [head], ...file === null ? [] : listAnchoredSeals(file)],
    facts: file === null ? {} : anchorFacts(file),
    lines: file === null ? [] : anchorLines(file)
  }
})

/** Says whether payloads were checked byte by byte, or only by the hashes stored with the answers. */
const payloadLines = (payloads: PayloadVerdict | null): ReadonlyArray<string> =>
  payloads === null
    ? ["payloads by the hashes that are kept of them; --payloads hashes them, too"]
    : [
      `${pluralizeGrouped(payloads.sealed, "payload")} as sealed` +
      (payloads.unproven === 0
        ? ""
        : `; of ${pluralizeGrouped(payloads.unproven, "answer")} no payload is kept, or no seal covers it`)
    ]

/** The facts that seals of earlier versions do not prove. */
const factLines = (withoutFacts: number): ReadonlyArray<string> =>
  withoutFacts === 0 ? [] : [
    `${
      pluralizeGrouped(withoutFacts, "seal")
    } of an earlier version: the scan's status, size, kind and names are not proven`
  ]

const verifyRows = (options: VerifyOptions) =>
  runForOrganization(options, { before: headOption(options.head) }, function*({ out }, organization) {
    const about = out.quiet ? 0 : yield* estimateAnswers(organization.id)
    const found = makeProblemCollector(out, makeRowProgress(out, "Verifying", { about }, "answers"))
    const payloads = options.payloads === true
    const noted = yield* readNoted(options, organization.id, found)
    const verdict = yield* verifyArchive(organization.id, found, noted.seals, { payloads })
    return found.finish({
      organization_id: organization.id,
      sealed_answers: verdict.sealed,
      late_answers: verdict.late,
      unsealed_answers: verdict.unsealed,
      running_scans: verdict.runningScans,
      seals: verdict.seals,
      seals_without_facts: verdict.withoutFacts,
      head: verdict.head,
      ...verdict.payloads === null ? {} : {
        sealed_payloads: verdict.payloads.sealed,
        unproven_payloads: verdict.payloads.unproven
      },
      ...noted.facts
    }, [
      `${pluralizeGrouped(verdict.sealed, "answer")} under ${pluralizeGrouped(verdict.seals, "seal")}, ${
        headText(verdict.head)
      }`,
      ...verdict.late === 0
        ? []
        : [`${formatGrouped(verdict.late)} of them came after their scan had ended, and are sealed by themselves`],
      ...verdict.runningScans === 0 ? [] : [
        `${pluralizeGrouped(verdict.unsealed, "answer")} of ${
          pluralizeGrouped(verdict.runningScans, "running scan")
        } ` +
        "not sealed yet: nothing proves them so far"
      ],
      ...factLines(verdict.withoutFacts),
      ...payloadLines(verdict.payloads),
      ...noted.lines
    ])
  })

const verifyFile = (options: VerifyOptions, given: string) =>
  runWithoutDatabase(options, function*({ out }) {
    yield* headOption(options.head)
    const file = resolve(given)
    const manifest = yield* Effect.try({ try: () => readManifest(file), catch: (error) => error as CliError })
    const found = makeProblemCollector(out, makeRowProgress(out, "Verifying", manifest.rows, "answers"))
    const facts = { file, format: manifest.format, organization_id: manifest.organization_id }
    if (!isSealedExport(manifest)) {
      if (options.anchors !== undefined) {
        return yield* Effect.fail(usageError("--anchors needs seals, and this export has none"))
      }
      yield* checkUnsealedExport(file, manifest, found)
      return found.finish({ ...facts, rows: manifest.rows }, [
        `${manifest.format === "ndjson" ? "An export over REST has" : "CSV and Parquet have"} no seals: ` +
        "only the file as a whole was checked, against its manifest"
      ])
    }
    const noted = yield* readNoted(options, manifest.organization_id ?? "", found)
    const verdict = yield* checkExport(file, manifest, noted.seals, found)
    return found.finish({
      ...facts,
      whole: isWholeExport(manifest),
      rows: verdict.rows,
      sealed_rows: verdict.sealed,
      unsealed_rows: verdict.unsealed.rows,
      seals: verdict.seals,
      seals_without_facts: verdict.withoutFacts,
      head: verdict.head,
      ...noted.facts
    }, [
      `${pluralizeGrouped(verdict.sealed, "row")} as sealed, of ${formatGrouped(verdict.rows)}; ${
        headText(verdict.head)
      }`,
      ...verdict.unsealed.rows === 0 ? [] : [
        out.style(
          "yellow",
          `${pluralizeGrouped(verdict.unsealed.rows, "row")} of scans that no seal here names: nothing proves them`
        )
      ],
      ...isWholeExport(manifest) ? [] : [
        out.style("yellow", "a part of the archive: that nothing was taken out of it is not proven")
      ],
      ...factLines(verdict.withoutFacts),
      ...noted.lines
    ])
  })

const verifyProof = (options: VerifyOptions, file: string) =>
  runWithoutDatabase(options, function*({ out }) {
    const anchor = yield* headOption(options.head)
    const proof = parseProof(yield* readText(file))
    if (Result.isFailure(proof)) {
      return yield* Effect.fail(
        new CliError(
          "proof-damaged",
          exitCodes.checkFailed,
          `${file} is no proof: ${proof.failure}`,
          "sov archive proof ID prints one"
        )
      )
    }
    const [{ sequence }] = proof.success.chain
    if (anchor !== null && anchor.sequence < sequence) {
      return yield* Effect.fail(
        usageError(
          `--head is seal ${anchor.sequence}, and this answer was sealed later, by seal ${sequence}`,
          `give a head that was noted at seal ${sequence} or after it`
        )
      )
    }
    const problems: Array<ArchiveProblem> = []
    const { head, seal } = checkProof(proof.success, anchor, (problem) => problems.push(problem))
    const found = makeProblemCollector(out, makeRowProgress(out, "Verifying", null))
    yield* Effect.forEach(problems, found.onProblem, { discard: true })
    return found.finish(
      { answer_id: proof.success.answer.id, seal: seal.sequence, sealed_at: seal.sealedAt.toISOString(), head },
      [`answer ${proof.success.answer.id}, seal ${seal.sequence} of ${seal.sealedAt.toISOString()}, ${headText(head)}`]
    )
  })

const refuse = (options: GlobalOptions, message: string) =>
  runWithoutDatabase(options, function*() {
    yield* Effect.fail(usageError(message))
  })

/** Runs `sov archive verify`. */
export const verify = (options: VerifyOptions) => {
  flatHeap()
  if (options.payloads === true && (options.file !== undefined || options.proof !== undefined)) {
    return refuse(options, "--payloads is about the archive itself: no file holds them")
  }
  if (options.file !== undefined && options.proof !== undefined) {
    return refuse(options, "--file and --proof exclude each other")
  }
  if (options.tsaCa !== undefined && options.anchors === undefined) {
    return refuse(options, "--tsa-ca is about the time stamps of --anchors")
  }
  if (options.anchors !== undefined && options.proof !== undefined) {
    return refuse(options, "--anchors is about a whole chain: --head checks a proof against one seal")
  }
  if (options.file !== undefined) return verifyFile(options, options.file)
  return options.proof !== undefined ? verifyProof(options, options.proof) : verifyRows(options)
}

/** Runs `sov archive proof ID`. */
export const showProof = (options: GlobalOptions, id: string) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    if (!Schema.is(AnswerId)(id)) return yield* new NotFound({ what: "answer", id })
    const made = yield* proveAnswer(organization.id, wholeHistory, id)
    out.result(made, () => JSON.stringify(made, undefined, 2))
  })

/** Runs `sov archive head`. */
export const showHead = (options: GlobalOptions) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const newest = yield* readChainHead(organization.id)
    if (newest === null) {
      return yield* Effect.fail(
        new CliError("no-seal", exitCodes.notFound, "there is no seal yet", "a scan is sealed when it ends: sov scan")
      )
    }
    const anchor = anchorFromSeal(newest)
    out.result(
      { organization_id: organization.id, ...anchor, sealed_at: newest.sealedAt.toISOString() },
      () => formatAnchor(anchor)
    )
  })
