import { Effect } from "effect"
import type { ExperimentCost } from "../../domain/experiments/Experiment.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { standardView } from "../../domain/tracking/ViewInput.ts"
import { estimateScan } from "../scanning/estimateScan.ts"

/** The usual number of scans that count after the change. */
export const usualScansAfter = 4

/**
 * Estimates what the scans after the change would cost that an experiment needs to show an effect: whole scans of the
 * standard view. Null if no scan could start now.
 */
export const estimateExperiment = Effect.fn("estimateExperiment")((organizationId: OrganizationId) =>
  estimateScan(organizationId, { samples: 1, views: [standardView] }).pipe(
    Effect.map(({ costUsd, questions }): ExperimentCost => ({
      scans: usualScansAfter,
      answers: usualScansAfter * questions,
      costUsd: costUsd === null ? null : usualScansAfter * costUsd
    })),
    Effect.catchTag(
      ["BudgetSpent", "NotFound", "NotReady", "OrganizationSuspended", "PlatformsMissing", "Rejected"],
      () => Effect.succeed(null)
    )
  )
)
