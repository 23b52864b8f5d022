/** Shortens long lists for people. */
import type { Scan } from "@sov/core/scanning"
import type { SourceChange } from "@sov/core/sources"
import { printable } from "../../output/Output.ts"

/** Maximum number of rows, and of lines of changes, that people see without `--all`. */
const maxShownRows = 30

const formatMore = (count: number): ReadonlyArray<string> => count > 0 ? [`and ${count} more: --all`] : []

/** The first rows, and a line that says how many more there are. */
export const takeShown = <Row>(
  rows: ReadonlyArray<Row>,
  all: boolean
): { readonly rows: ReadonlyArray<Row>; readonly more: ReadonlyArray<string> } =>
  all ? { rows, more: [] } : { rows: rows.slice(0, maxShownRows), more: formatMore(rows.length - maxShownRows) }

/** Sites that the newest scan cites more or less often than the scan before it, beyond chance. */
export const changeLines = (
  found: { readonly since: Scan; readonly changes: ReadonlyArray<SourceChange> } | null,
  all: boolean
): ReadonlyArray<string> => {
  if (found === null) return []
  const { changes, since } = found
  const date = (since.completedAt ?? since.startedAt).toISOString().slice(0, 10)
  if (changes.length === 0) return [`No domain is cited more or less often than in the scan of ${date} beyond chance.`]
  const shown = takeShown(changes, all)
  return [
    `Beyond chance since the scan of ${date}:`,
    ...shown.rows.map(({ domain, down, up }) =>
      `  ${printable(domain)} is cited ${up > down ? "more" : "less"} often (${up} up, ${down} down)`
    ),
    ...shown.more.map((line) => `  ${line}`)
  ]
}
