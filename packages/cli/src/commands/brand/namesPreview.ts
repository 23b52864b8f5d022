/** Previews the effect of changed names on the archive: `--dry-run` of the commands that change names. */
import { type OrganizationId, pluralized } from "@sov/core/common"
import { wholeHistory } from "@sov/core/organizations"
import { entityJson, type NamesChange, type OfferedSpelling, previewNames } from "@sov/core/tracking"
import { Effect } from "effect"
import { makeCanvas } from "../../output/canvas.ts"
import type { Output } from "../../output/Output.ts"
import { changesJson, changesText } from "../rescore/rescoreReport.ts"

/** Suggests spellings that do not count on their own, one per line. */
export const offerText = (name: string, offers: ReadonlyArray<OfferedSpelling>): ReadonlyArray<string> =>
  offers.map(({ answers, text }) => {
    const gain = answers === 0
      ? ""
      : ` (${pluralized(answers, "answer")} of the newest scans ${answers === 1 ? "has" : "have"} it)`
    return `"${text}" may be another word, so it does not count for ${name} everywhere${gain}: --alias "${text}" counts it.`
  })

/** Prints how the newest scans would be measured with the changed names, and stores nothing. */
export const printPreview = Effect.fnUntraced(function*(
  out: Output,
  organizationId: OrganizationId,
  change: NamesChange
) {
  const { archive, before, offers, set } = yield* previewNames(organizationId, wholeHistory, change)
  const changed = set !== before
  const facts = {
    dry_run: true,
    changed,
    brand: entityJson(set.brand),
    competitors: set.competitors.map(entityJson),
    offered_aliases: offers.map(({ answers, text }) => ({ alias: text, answers })),
    ...changesJson(archive)
  }
  out.result(facts, () => {
    if (!changed) return "Nothing would change: the names are these already."
    const changes = changesText(set.brand.name, archive, makeCanvas(out))
    return [
      changes.length === 0
        ? "There is no completed scan to read with these names."
        : "The newest scans, read with the names as they would be:",
      ...changes,
      "",
      ...offerText(change.kind === "competitor" ? change.competitor.name : set.brand.name, offers),
      "Nothing was stored; without --dry-run the names hold, and sov rescore measures the archive with them."
    ].join("\n")
  })
})
