/** sov db prune: deletes rows whose retention time is over. */
import { pruneAll, retainedKinds } from "@sov/core/workers"
import { runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { readRetention, retentionVariable } from "../../settings/retention.ts"

export const prune = (options: GlobalOptions & { readonly dryRun?: boolean }) =>
  runCommand(options, { repeatable: true }, function*({ out }) {
    const retention = readRetention(process.env)
    const dryRun = options.dryRun === true
    const found = yield* pruneAll({ dryRun, retention })
    const rows = found.flatMap(({ organization, pruned }) =>
      retainedKinds.map((kind) => ({
        organization,
        kind,
        days: retention[kind],
        setting: retentionVariable(kind),
        rows: pruned[kind]
      }))
    )
    out.list(rows, [
      { header: "ORGANIZATION", cell: (row) => row.organization },
      { header: "KIND", cell: (row) => row.kind },
      { header: "KEPT DAYS", cell: (row) => String(row.days) },
      {
        header: dryRun ? "WOULD REMOVE" : "REMOVED",
        cell: (row) => row.rows === null ? "not allowed" : String(row.rows)
      },
      { header: "SETTING", cell: (row) => row.setting }
    ], { empty: "There is no organization.", wrap: { dry_run: dryRun, pruned: rows } })
  })
