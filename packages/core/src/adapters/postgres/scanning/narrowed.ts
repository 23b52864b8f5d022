import { Statement } from "effect/sql"

/** Whether a row of table `scan` asked less than there was (`isNarrowed`); `alias` is a word of the code. */
export const narrowed = (alias = "scan"): Statement.Fragment =>
  Statement.fragment([
    Statement.literal(
      `coalesce(${alias}.cell_count / nullif(cardinality(${alias}.platforms) * ${alias}.samples, 0)
        < ${alias}.askable_keywords or cardinality(${alias}.platforms) < ${alias}.askable_platforms, false)`
    )
  ])
