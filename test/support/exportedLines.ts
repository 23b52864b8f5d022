/** Exports an archive into lines in memory, and checks them. */
import {
  anchorFromSeal,
  exportContext,
  exportedRowJson,
  type ExportFiles,
  exportPages,
  type OrganizationId,
  SealStore,
  verifyExport,
  wholeHistory
} from "@sov/core"
import { Effect, Stream } from "effect"

/** The lines of an export of everything; `meanwhile` runs after the head was read. */
export const exported = Effect.fnUntraced(function*<E = never, R = never>(
  organizationId: OrganizationId,
  meanwhile: Effect.Effect<void, E, R> = Effect.void
) {
  const newest = yield* (yield* SealStore).head(organizationId)
  const head = newest && anchorFromSeal(newest)
  yield* meanwhile
  const pages = yield* Stream.runCollect(exportPages(organizationId, wholeHistory, {}, head))
  const context = yield* Stream.runCollect(exportContext(organizationId, wholeHistory, {}, head, () => undefined))
  return { rows: pages.flat().map((row) => JSON.stringify(exportedRowJson(row))), context, head }
})
export type Lines = Pick<Effect.Success<ReturnType<typeof exported>>, "rows" | "context">

export const filesOf = ({ context, rows }: Lines): ExportFiles<never> => ({
  rows: Stream.fromIterable(rows),
  context: Stream.fromIterable(context.map((text, at) => ({ text, at }))),
  contextAt: (at) => Effect.succeed(context[at]!)
})

/** The findings of a check of the lines. */
export const checked = Effect.fnUntraced(function*(lines: Lines) {
  const problems: Array<string> = []
  const { head, sealed, unsealed } = yield* verifyExport(filesOf(lines), {
    onProblem: ({ detail }) => Effect.sync(() => void problems.push(detail)),
    onAnswers: () => undefined
  }, { noted: [], wholeUpTo: Infinity })
  return { head, sealed, unsealed: unsealed.rows, problems }
})
