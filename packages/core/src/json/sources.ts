/** Cited sites, gaps and searches as clients see them, in `sov sources --json` and in the tables of the dashboard. */
import { otherQuestions } from "../domain/scoring/estimand.ts"
import { roundHalfUp } from "../domain/scoring/Score.ts"
import { type Funnel, type Funnels, type FunnelStepName, funnelSteps } from "../domain/sources/funnel.ts"
import { type CitedSite, isSteady, type SourceGap } from "../domain/sources/metrics.ts"
import type { Owner } from "../domain/sources/owners.ts"
import type { Search } from "../domain/sources/searches.ts"
import { interval95Json } from "./scoring.ts"

/** The owner of a page: `you`, a competitor's name, or null if nobody tracked owns it. */
export const ownerText = (owner: Owner | null): string | null =>
  owner?.kind === "own" ? "you" : owner?.kind === "competitor" ? owner.name : null

/** A cited domain (`by` "domain") or page. */
export const siteJson = (by: "domain" | "page") => (site: CitedSite) => ({
  [by]: site.name,
  answers: site.answers,
  keywords: site.keywords,
  share: roundHalfUp(site.share, 1),
  owner: ownerText(site.owner),
  names_you: site.namingBrand,
  ...site.samples === null
    ? {}
    : { cited_samples: site.samples.cited, samples: site.samples.of, steady: isSteady(site.samples) },
  listed: site.listed
})

/** A gap, with the names of the rivals. */
export const gapJson = (names: ReadonlyMap<string, string>) => (gap: SourceGap) => ({
  domain: gap.domain,
  rival_only: gap.rivalOnly,
  rival_only_cells: gap.rivalOnlyCells,
  with_you: gap.withBrand,
  with_you_cells: gap.withBrandCells,
  rivals: gap.rivals.map((id) => names.get(id) ?? id),
  probability: Number(gap.probability.toPrecision(2)),
  beyond_chance: gap.proven
})

/** A search query, and how many of the platform's answers used it. */
export const searchJson = ({ answers, of, platform, query }: Search) => ({ query, platform, answers, of })

/** A funnel. A step is null if the platform does not show it. */
export const funnelJson = ({ answers, namedOnly, steps }: Funnel) => ({
  answers,
  steps: Object.fromEntries(funnelSteps.map((name) => {
    const found = steps.find(({ step }) => step === name)
    return [
      name,
      found === undefined ? null : {
        answers: found.answers,
        rate: roundHalfUp(found.rate, 1),
        interval_95: interval95Json(found.interval)
      }
    ]
  })) as {
    readonly [S in FunnelStepName]: null | {
      readonly answers: number
      readonly rate: number
      readonly interval_95: { readonly low: number; readonly high: number } | null
    }
  },
  named_only: namedOnly
})

/** The funnels of all platforms and tags. */
export const funnelsJson = ({ platforms, tags }: Funnels) => ({
  interval_about: otherQuestions,
  by_platform: platforms.map(({ funnel, platform }) => ({ platform, ...funnelJson(funnel) })),
  by_tag: tags.map(({ funnel, tag }) => ({ tag, platforms: funnel.platforms, ...funnelJson(funnel) }))
})
