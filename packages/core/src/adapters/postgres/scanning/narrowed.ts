import { Statement } from "effect/sql"

/** The SQL condition for a narrowed scan (`isNarrowed`) in table `scan`; `alias` must be a constant in the code. */
export const narrowed = (alias = "scan"): Statement.Fragment =>
  Statement.fragment([
    Statement.literal(
      `coalesce(${alias}.cell_count / nullif(cardinality(${alias}.platforms) * ${alias}.samples, 0)
        < ${alias}.askable_keywords or cardinality(${alias}.platforms) < ${alias}.askable_platforms, false)`
    )
  ])
