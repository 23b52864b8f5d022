/** Forms the funnel of own pages from the sources of scans. */
import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { formFunnel, type Funnel, type FunnelRow, type Funnels, toFunnelRows } from "../../domain/sources/funnel.ts"
import { makeOwnerLookup } from "../../domain/sources/owners.ts"
import { tagKey } from "../../domain/tracking/Tag.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import type { SourceReport } from "./readSources.ts"

type FunnelSources = Pick<SourceReport, "answers" | "readers" | "rows" | "set">

const rowsOf = ({ answers, readers, rows, set }: FunnelSources): ReadonlyArray<FunnelRow> =>
  toFunnelRows(answers, rows, readers, makeOwnerLookup(set))

/** The funnel of all answers of the platforms that show which pages they read; null if no platform shows them. */
export const readWholeFunnel = (report: FunnelSources): Funnel | null => {
  const funnel = formFunnel(rowsOf(report))
  return funnel.steps[0]?.step === "retrieved" ? funnel : null
}

/** Forms the funnels of each platform and of each question group (a tag) in these answers. */
export const readFunnels = Effect.fn("readFunnels")(
  function*(organizationId: OrganizationId, report: SourceReport) {
    const all = rowsOf(report)
    const byKeyword = Map.groupBy(all, ({ keywordId }) => keywordId)
    const tagged = Map.groupBy(yield* (yield* KeywordStore).listTags(organizationId), ({ tag }) => tagKey(tag))
    const funnels: Funnels = {
      platforms: [...Map.groupBy(all, ({ platform }) => platform)].toSorted(([a], [b]) => a < b ? -1 : 1)
        .map(([platform, own]) => ({ platform, funnel: formFunnel(own) })),
      tags: [...tagged].toSorted(([a], [b]) => a < b ? -1 : 1).flatMap(([, own]) => {
        const found = own.flatMap(({ keywordId }) => byKeyword.get(keywordId) ?? [])
        return found.length === 0 ? [] : [{ tag: own[0]!.tag, funnel: formFunnel(found) }]
      })
    }
    return funnels
  }
)
