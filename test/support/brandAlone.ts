/**
 * The members about names and shares, in `/sov` and the summary tool, for a scan in which answers name only the brand.
 */
export const brandAlone = (
  sov: number,
  interval: { readonly low: number; readonly high: number } | null,
  keywords: ReadonlyArray<{ readonly id: string; readonly text: string }>,
  scanId: string,
  completedAt: Date,
  labels: { readonly [platform: string]: string } = {}
) => ({
  brand: { name: "Acme Forge", sov, interval_95: interval, rank: 1, rank_of: 1 },
  competitors: [],
  platform_labels: labels,
  keywords: keywords.map(({ id, text }) => ({
    keyword_id: id,
    prompt: text,
    sov: 100,
    platform_breakdown: { assistant_a: 100, assistant_b: 100 }
  })),
  keywords_not_listed: 0,
  moved: { platforms: [], keywords: [], competitors: [] },
  history: [
    { scan_id: scanId, completed_at: completedAt.toISOString(), avg_sov: sov, leaders: ["Acme Forge"] }
  ]
})
