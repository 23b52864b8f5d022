import { Statement } from "effect/sql"

/** Whether a row of table `scan` is a narrowed scan (`isNarrowed`); `alias` must be a constant in the code. */
export const narrowed = (alias = "scan"): Statement.Fragment =>
  Statement.fragment([
    Statement.literal(
      `coalesce(${alias}.cell_count / nullif(cardinality(${alias}.platforms) * ${alias}.samples, 0)
        < ${alias}.askable_keywords or cardinality(${alias}.platforms) < ${alias}.askable_platforms, false)`
    )
  ])
