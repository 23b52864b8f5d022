/** Examples of requests and responses, for the OpenAPI document and the files generated from it. */

const scanId = "01a1fdc2-f7b1-73c0-9311-cd01e31ffc66"
const keywordId = "01a1fdc2-e597-751b-b2d3-021831e0a044"
const cursor = "AQAAAZwWgB6DAaH9vKHodwOMUkDZ_rLhDEnbYyc49fML"

const annotation = {
  id: "01a1fdc2-f9a0-7b1e-8c35-6d0f2a9b41ce",
  day: "2026-11-20",
  text: "New pricing page",
  created_at: "2026-11-21T09:12:00.000Z"
}

const plan = {
  name: "Guides",
  change: "a guide for each treated topic",
  from: "2026-12-01",
  until: "2026-12-31"
}

const experiment = {
  id: "01a1fdc3-04d2-7e1a-9f60-5b1c3a7d2e90",
  ...plan,
  state: "planned",
  seal: `12:${"5f".repeat(32)}`,
  sealed_at: "2026-11-30T09:12:00.000Z",
  seed: "9f3c41aa",
  power: { rise: 9.1, probability: 0.8, topics: 40, scans_before: 4, scans_after: 4 },
  stopped: null
}

const experimentDetail = {
  ...experiment,
  pairs: [{ treated: [keywordId], held_out: ["01a1fdc2-e597-751b-b2d3-021831e0a045"] }],
  progress: { scans_before: 4, scans_after: 0 },
  breaks: [],
  result_at: "2027-01-01T00:00:00.000Z",
  verdict: null,
  sentence: "No result before 2026-12-31 is over.",
  broken: null,
  effect: null,
  interval: null,
  placebo: null,
  platforms: []
}

const actionMark = {
  id: "71a3fdc2f7b1",
  rule: "page_without_you",
  title: "Get onto reviews.example/anvils",
  state: "later",
  until: "2026-12-21T09:12:00.000Z",
  marked_at: "2026-11-21T09:12:00.000Z"
}

const limit = 20

/** Examples of parameters, by name. */
export const parameterExamples: { readonly [name: string]: unknown } = {
  id: annotation.id,
  keyword_id: keywordId,
  platform: "assistant_a",
  tag: "pricing",
  scans: 4,
  view: "germany",
  from: "2026-11-01",
  to: "2026-11-21T12:00:00+01:00",
  limit,
  cursor,
  include: "sources",
  month: "2026-11",
  organization: "acme",
  "Idempotency-Key": "nightly-2026-11-21"
}

/** Examples of request bodies, by operation. */
export const requestExamples: { readonly [operationId: string]: unknown } = {
  addAnnotation: { day: "2026-11-20", text: "New pricing page" },
  startExperiment: { ...plan, tags: ["pricing"] },
  endExperiment: { reason: "the pages were withdrawn" },
  markAction: { state: "later", days: 30 },
  startScan: { keyword_ids: [keywordId], platforms: ["assistant_a", "assistant_b"] }
}

/** Examples of successful responses, by operation. */
export const responseExamples: { readonly [operationId: string]: unknown } = {
  annotations: { annotations: [annotation] },
  addAnnotation: annotation,
  removeAnnotation: annotation,
  experiments: { experiments: [experiment] },
  startExperiment: experimentDetail,
  experiment: experimentDetail,
  endExperiment: {
    ...experiment,
    state: "stopped",
    stopped: { at: "2026-12-07T09:12:00.000Z", reason: "the pages were withdrawn" }
  },
  claims: {
    scans: [scanId],
    answers_read: 40,
    answers_not_read: 0,
    facts: [{
      fact: "founding_date",
      kind: "year",
      card_says: ["2014"],
      agrees: 3,
      contradicts: 5,
      out_of_date: 0,
      not_stated: 32,
      not_judged: 0,
      contradicted: true
    }],
    claims: [{
      fact: "founding_date",
      verdict: "contradicts",
      stated: "2009",
      quote: "Acme was founded in 2009.",
      answer_id: "01a1fdc2-f9a0-7b1e-8c35-6d0f2a9b41aa",
      scan_id: scanId,
      platform: "assistant_a",
      keyword_id: keywordId,
      created_at: "2026-11-21T10:59:35.642Z",
      cited_domains: ["wiki.example"],
      decided_by: "rules"
    }],
    judge: {
      judged_by: [],
      facts: 2,
      facts_left_out: 0,
      facts_not_judged: 2,
      answers_judged: 0,
      answers_not_judged: 40,
      decisions_discarded: 0
    }
  },
  funnel: {
    as_of: "2026-11-21T10:59:35.642Z",
    scans: 4,
    interval_about: "other questions like these",
    by_platform: [
      {
        platform: "assistant_a",
        answers: 160,
        steps: {
          retrieved: { answers: 64, rate: 40, interval_95: { low: 27.1, high: 54.5 } },
          cited: { answers: 32, rate: 20, interval_95: { low: 11.2, high: 33.1 } },
          named: { answers: 24, rate: 15, interval_95: { low: 7.6, high: 27.5 } },
          named_first: { answers: 8, rate: 5, interval_95: { low: 1.5, high: 15.2 } }
        },
        named_only: 31
      },
      {
        platform: "assistant_d",
        answers: 0,
        steps: { retrieved: null, cited: null, named: null, named_first: null },
        named_only: 0
      }
    ],
    by_tag: []
  },
  actions: {
    scans: [scanId],
    as_of: "2026-11-21T10:59:35.642Z",
    answers: 96,
    candidates: 31,
    actions: [{
      id: "0b5f60ac91d2",
      rule: "rival_leads",
      title: "Catch up with Globex on “best anvil?”",
      why: "On every platform more answers name Globex than you: 90 % against 20 %.",
      subject: keywordId,
      answers: 14,
      keyword_ids: [keywordId],
      platforms: ["assistant_a", "assistant_b"],
      competitor_ids: ["01a1fdc2-e597-751b-b2d3-021831e0a0c0"],
      answer_ids: ["01a1fdc2-f9a0-7b1e-8c35-6d0f2a9b41aa"],
      rate_here: 20,
      rate_elsewhere: 90,
      effect_points_95: { low: 44.1, high: 95.9 },
      effect_of: "named",
      experiment: null,
      back: null
    }],
    marked: [actionMark]
  },
  markAction: actionMark,
  unmarkAction: actionMark,
  sov: {
    scan_id: scanId,
    completed_at: "2026-11-21T10:59:35.642Z",
    avg_sov: 42,
    platform_breakdown: { assistant_a: 51.3, assistant_b: 33.3 },
    asked: { platforms: 2, configured_platforms: 2, keywords: 12, tracked_keywords: 12 },
    n: 24,
    interval_95: { low: 30.9, high: 53.7 },
    interval_about: "other questions like these",
    questions: 12,
    topics: 9,
    brand: { name: "Acme", sov: 42.3, interval_95: { low: 30.9, high: 53.7 }, rank: 1, rank_of: 2 },
    competitors: [{ name: "Globex", sov: 31.5, interval_95: { low: 20.1, high: 44.2 }, rank: 2 }],
    platform_labels: { assistant_a: "ChatGPT" },
    keywords: [
      {
        keyword_id: keywordId,
        prompt: "best anvil?",
        sov: 25,
        platform_breakdown: { assistant_a: 50, assistant_b: 0 }
      }
    ],
    keywords_not_listed: 11,
    moved: {
      platforms: [{ platform: "assistant_a", before: 33.3, after: 51.3, delta: 18 }],
      keywords: [],
      competitors: []
    },
    history: [
      { scan_id: scanId, completed_at: "2026-11-21T10:59:35.642Z", avg_sov: 42.3, leaders: ["Acme"] }
    ]
  },
  definitions: {
    scan_id: scanId,
    completed_at: "2026-11-21T10:59:35.642Z",
    definitions: [{
      definition: "named_first",
      n: 24,
      interval_about: "other questions like these",
      names: [
        { competitor_id: null, name: "Acme", value: 58.3, interval_95: { low: 38.2, high: 76 } },
        { competitor_id: keywordId, name: "Globex", value: 25, interval_95: { low: 11.1, high: 46.7 } }
      ]
    }],
    sentiment: {
      named: 14,
      judged: 12,
      interval_about: "other questions like these",
      shares: [
        { sentiment: "positive", answers: 9, value: 75, interval_95: { low: 43.1, high: 92.2 } },
        { sentiment: "neutral", answers: 3, value: 25, interval_95: { low: 7.8, high: 56.9 } },
        { sentiment: "negative", answers: 0, value: 0, interval_95: { low: 0, high: 26.5 } }
      ]
    }
  },
  odds: {
    odds: 41.3,
    odds_interval_95: { low: 30.2, high: 52.4 },
    three_misses: 20.9,
    three_misses_interval_95: { low: 12.4, high: 29.4 },
    three_misses_between: null,
    interval_about: "other questions like these",
    answers: 240,
    questions: 30,
    topics: 21,
    scans: [scanId],
    platforms: [{
      name: "assistant_a",
      odds: 47.5,
      odds_interval_95: { low: 33.6, high: 61.4 },
      three_misses: null,
      three_misses_interval_95: null,
      three_misses_between: { low: 14.5, high: 52.5 },
      interval_about: "other questions like these",
      answers: 30,
      questions: 30,
      topics: 21
    }],
    tags: [],
    caveat:
      "The three openings are on three days: on one day answers are more alike. A platform's API and its app may answer otherwise than each other."
  },
  evidence: {
    scan_id: scanId,
    grade: "directional",
    caveat: "sov's own reading of the IAB's guidance of 3 August 2026, which is no standard: not a certification.",
    scans: 4,
    criteria: [
      { criterion: "questions", value: 62, directional: 50, decision_grade: 50, grade: "decision_grade" },
      { criterion: "platforms", value: 2, directional: 2, decision_grade: 3, grade: "directional" }
    ],
    next: {
      grade: "decision_grade",
      keywords: 62,
      platforms: 3,
      samples: 1,
      scans: 7,
      answers: 1302,
      cost_usd: 3.906,
      steps: [
        { criterion: "platforms", adds: 1, answers: 434, cost_usd: 1.302, text: "Connect 1 more platform." }
      ]
    }
  },
  listScans: {
    scans: [{
      id: scanId,
      status: "completed",
      scan_type: "manual",
      started_at: "2026-11-21T10:59:01.100Z",
      completed_at: "2026-11-21T10:59:35.642Z",
      avg_sov: 42,
      asked: { platforms: 2, configured_platforms: 2, keywords: 12, tracked_keywords: 12 },
      n: 24,
      interval_95: { low: 30.9, high: 53.7 },
      interval_about: "other questions like these",
      questions: 12,
      topics: 9
    }]
  },
  startScan: { scan_id: scanId, status: "running", estimated_seconds: 35 },
  archive: {
    data: [{
      id: "01a1fdc2-f81b-7060-b6c7-2aa93be8fbf3",
      scan_id: scanId,
      platform: "assistant_a",
      keyword_id: keywordId,
      prompt_used: "What is the best anvil for beginners?",
      raw_response: "Most smiths begin with an Acme.",
      brand_mentioned: true,
      mention_count: 1,
      mention_position: 1,
      sentiment: "positive",
      sov_score: 100,
      created_at: "2026-11-21T10:59:35.579Z"
    }],
    meta: { count: 1, next_cursor: cursor, plan_window_applied: false, window_start: "2026-01-01T00:00:00.000Z" }
  }
}
