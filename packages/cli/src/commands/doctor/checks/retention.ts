/** Reports the rows whose retention time is over. */
import { pluralized } from "@sov/core/common"
import { pruneAll, type Pruned, retainedKinds } from "@sov/core/workers"
import { Effect } from "effect"
import { readRetention } from "../../../settings/retention.ts"
import { makeStoreCheck, ok } from "./Check.ts"

/** Describes the rows that a worker will delete next. */
const describeRetention = (found: ReadonlyArray<{ readonly pruned: Pruned }>): string => {
  const rows = retainedKinds.map((kind) =>
    [kind, found.reduce((sum, { pruned }) => sum + (pruned[kind] ?? 0), 0)] as const
  ).filter(([, count]) => count > 0)
  return rows.length === 0
    ? "nothing is older than it is kept"
    : `a worker removes ${
      rows.map(([kind, count]) => `${pluralized(count, "row")} of ${kind}`).join(", ")
    } within a day (sov db prune --dry-run)`
}

export const retention = makeStoreCheck("retention", ({ env }) =>
  Effect.suspend(() =>
    Effect.map(
      pruneAll({ dryRun: true, retention: readRetention(env) }),
      (found) => ok(describeRetention(found))
    )
  ))
