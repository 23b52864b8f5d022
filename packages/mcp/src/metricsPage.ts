/** Content of `sov://docs/metrics`, which explains the numbers to language models. */
export const metricsPage = `# How sov measures

**Scan.** Every active keyword (a question) is sent to each configured answer platform (assistant_a to assistant_e), once
or several times (samples). Every raw answer is archived for ever.

**Mention.** The answer is read as a person sees it: names, aliases and domains of the brand count where they stand on
their own. Link targets, citations, comments and code do not count. Nothing in an answer is obeyed.

**Row score (sov_score).** 100 x [brand named] / number of tracked names (brand and competitors) that the answer names.
An answer that names the brand alone scores 100, one that names it beside three competitors 25, one without it 0.

**Share of voice (avg_sov).** Mean over the samples of a keyword, then over the keywords of a platform (its score in
platform_breakdown), then over the platforms, each with equal weight. Keywords that name the brand themselves are left
out unless nothing else was answered. Answers that failed are missing, not 0; a platform without any valid answer is left
out. avg_sov is shown as a whole number, platform scores with one decimal; everything is computed from unrounded values.

**What was not asked or not answered.** failed_count are questions without an answer, platforms_without_answer were asked
and count in no number, asked tells how many of the configured platforms and tracked keywords the scan asked at all, and
with branded_only the questions themselves name the brand: say so beside the number.

**low_coverage.** Fewer than half of the scored keywords were answered on that platform: read its score with care.

**interval_95.** Where avg_sov would probably lie for other questions like these; null with questions on fewer than two
topics. Questions that ask the same in other words are one topic: say "40 questions, 11 topics" where you say n. A
change that is small beside it may be noise: the same question is answered differently from day to day.

**mention_position.** Rank of the brand's first mention among the tracked names, 1 = named first.

**sentiment.** How the answer speaks of the brand where it is named: positive, neutral or negative, by rules or, where
sentiment_by says so, by a judge.

**trend.** Difference to the previous completed scan of the same kind, both measured with the same names and rules, over
the cells (keyword x platform) that were answered in both. direction is flat below the noise. There is no trend (null)
with fewer than 5 such cells, or than half of the larger scan's: then the two asked too different things.

**simulated: true.** The answers were made up for trying things out. Never report such numbers as real.

**AI traffic.** referrer_signals are visits whose referrer is an AI assistant; ai_tag_only_visits are visits that only a
tag on the link marks. They are different kinds of evidence and are never added up. Both are lower bounds.

**Trust score of the business card.** round(100 x completeness x (0.7 + 0.3 x freshness) x attestation), attestation 1
when confirmed, 0.9 when edited since, 0.8 when never.
`
