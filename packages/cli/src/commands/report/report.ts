/** sov report: writes the brand's position as one file that contains its own proof. */
import { isLocale, Rejected } from "@sov/core/common"
import { Name, wholeHistory } from "@sov/core/organizations"
import { readReport, type ReportRequest } from "@sov/core/reports"
import { findScannedView } from "@sov/core/tracking"
import { checkReportFile, describePage, type Logo, makeReportFile, maxLogoBytes, readLogo } from "@sov/http/report"
import { Effect } from "effect"
import { readFileSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { CliError, usageError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { dateRange } from "../../input/dateOption.ts"
import { decodeInput } from "../../input/decodeInput.ts"
import { checkTarget, createPartFile } from "../../output/partFile.ts"
import { writeOut } from "../../output/writeOut.ts"
import { configuredPlatforms, readPlatformLabels, runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { describeProblem } from "./describeProblem.ts"

interface ReportOptions extends GlobalOptions {
  readonly out?: string
  readonly withAnswers?: boolean
  readonly from?: string
  readonly to?: string
  readonly tag?: string
  readonly view?: string
  readonly locale?: string
  readonly title?: string
  readonly logo?: string
}

const readLogoFile = (file: string | undefined): Effect.Effect<Logo | null, CliError> =>
  Effect.suspend(() => {
    if (file === undefined) return Effect.succeed(null)
    let found: Logo | string
    try {
      const { size } = statSync(file)
      found = size > maxLogoBytes
        ? `it has ${size} bytes, and a logo may have ${maxLogoBytes}`
        : readLogo(readFileSync(file))
    } catch (error) {
      found = (error as NodeJS.ErrnoException).code ?? "error"
    }
    return typeof found === "string"
      ? Effect.fail(usageError(`cannot use ${file} as a logo: ${found}`))
      : Effect.succeed(found)
  })

const readLocale = (text: string | undefined): Effect.Effect<string | null, Rejected> =>
  text === undefined
    ? Effect.succeed(null)
    : isLocale(text)
    ? Effect.succeed(text)
    : Effect.fail(
      new Rejected({
        field: "--locale",
        message: `--locale ${JSON.stringify(text)} is no known language tag, such as de`
      })
    )

const readOptions = Effect.fnUntraced(function*(options: ReportOptions) {
  if (options.out === undefined) {
    return yield* Effect.fail(usageError("--out FILE is needed", "sov report --out report.html; - writes to stdout"))
  }
  if (options.out !== "-") yield* checkTarget(resolve(options.out), options.yes === true)
  return {
    out: options.out,
    range: yield* dateRange({
      ...options.from === undefined ? {} : { from: options.from },
      ...options.to === undefined ? {} : { to: options.to }
    }),
    locale: yield* readLocale(options.locale),
    title: options.title === undefined ? null : yield* decodeInput(Name, options.title, "--title"),
    logo: yield* readLogoFile(options.logo)
  }
})

/** Runs `sov report`. */
export const make = (options: ReportOptions) =>
  runCommand(options, { before: readOptions(options) }, function*({ out }) {
    const { locale, logo: given, out: target, range, title } = yield* readOptions(options)
    const organization = yield* currentOrganization(options)
    const request: ReportRequest = {
      from: range.from ?? null,
      to: range.to ?? null,
      tag: options.tag,
      view: options.view === undefined ? null : yield* findScannedView(organization.id, options.view),
      answers: options.withAnswers === true,
      title,
      locale,
      logo: given,
      labels: readPlatformLabels(options),
      configured: configuredPlatforms(options),
      page: describePage()
    }
    const { evidence, figures, logo } = yield* readReport(organization, wholeHistory, request)
    const text = makeReportFile(evidence, figures, logo)
    const { problems, verdict } = checkReportFile(text)
    const [first] = problems
    if (first !== undefined) {
      return yield* Effect.fail(
        new CliError(
          "report-unproven",
          exitCodes.checkFailed,
          `the report does not follow from its evidence: ${describeProblem(first)}`,
          "if a scan or sov rescore ran meanwhile, try again; sov archive verify checks the archive"
        )
      )
    }
    if (target === "-") return yield* writeOut(text)
    const file = yield* createPartFile(resolve(target))
    yield* file.write(text)
    const sha256 = yield* file.finish
    const bytes = Buffer.byteLength(text)
    out.result(
      { file: resolve(target), bytes, sha256, answers: verdict!.answers, head: verdict!.head },
      () =>
        `${resolve(target)}: ${verdict!.answers} answers, ${
          Math.ceil(bytes / 1000)
        } kB\nsov report verify ${target} checks it`
    )
  })
