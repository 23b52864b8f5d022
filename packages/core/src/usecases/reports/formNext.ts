/**
 * Forms the next actions of a report: actions that can be derived from its own answers, and actions that it only
 * states.
 */
import type { EvidenceAnswer, ReportEvidence } from "../../domain/reports/ReportEvidence.ts"
import type { ScoredRow } from "../../domain/scoring/cells.ts"
import { type Action, maxActions } from "../../domain/sources/actions/Action.ts"
import { type ActionNames, describeAction } from "../../domain/sources/actions/describeAction.ts"
import { type ActionRow, findActions } from "../../domain/sources/actions/findActions.ts"
import type { CitingRow } from "../../domain/sources/citing.ts"

/** An action of a report in words. */
export interface ReportedAction extends ReturnType<typeof describeAction>, Pick<Action, "id" | "answers" | "effect"> {}

export interface ReportedNext {
  /** Actions that the rules find in the answers of the report, at most `maxActions`. */
  readonly found: ReadonlyArray<ReportedAction>
  /** Number of further actions that the organization has decided about. */
  readonly decided: number
  /** Actions whose evidence the report does not contain. */
  readonly stated: NonNullable<ReportEvidence["header"]["next"]>["stated"]
  readonly candidates: number
  readonly scans: number
}

const noPages: Pick<CitingRow, "cited" | "domains" | "pages" | "ownCited" | "reports" | "unread" | "searched"> = {
  reports: false,
  unread: false,
  searched: null,
  cited: [],
  domains: new Set(),
  pages: new Set(),
  ownCited: false
}

/**
 * Finds the actions in the answers of these scans, newest first. Rules about pages and facts find no actions, because a
 * report contains neither pages of earlier scans nor a business card.
 */
export const formNext = (
  { header }: Pick<ReportEvidence, "header">,
  scans: ReadonlyArray<{ readonly id: ActionRow["scanId"]; readonly startedAt: Date }>,
  rowsOf: (scanId: ActionRow["scanId"]) => ReadonlyArray<ScoredRow & { readonly answer: EvidenceAnswer }>,
  names: ActionNames
): ReportedNext => {
  const rows = scans.flatMap(({ id, startedAt }) =>
    rowsOf(id).map(({ answer, ...row }): ActionRow => ({
      ...row,
      ...noPages,
      scanId: id,
      answerId: answer.id,
      createdAt: startedAt,
      read: null,
      written: null
    }))
  )
  const { actions, candidates } = findActions(rows, scans.map(({ id }) => id))
  const hidden = new Set(header.next?.decided)
  const left = actions.filter(({ id }) => !hidden.has(id))
  return {
    found: left.slice(0, maxActions).map((one) => ({
      id: one.id,
      answers: one.answers,
      effect: one.effect,
      ...describeAction(one, names)
    })),
    decided: actions.length - left.length,
    stated: header.next?.stated ?? [],
    candidates,
    scans: scans.length
  }
}
