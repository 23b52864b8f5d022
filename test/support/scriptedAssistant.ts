/**
 * Twenty questions that people ask an assistant, each answered once with the tools alone and once from the database.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Calls a tool and returns its structured content. */
// oxlint-disable-next-line typescript/no-explicit-any -- members of every tool's own output
export type AskTool = (name: string, args?: object) => Promise<any>

/** All rows of a paginated tool. */
const allOf = async (ask: AskTool, name: string, rows: string, args: object = {}) => {
  const all: Array<Awaited<ReturnType<AskTool>>> = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await ask(name, { ...args, limit: 100, ...cursor === undefined ? {} : { cursor } })
    all.push(...page[rows])
    cursor = page.meta.next_cursor
  }
  return all
}

const results = (ask: AskTool, args: object = {}) => allOf(ask, "get_scan_results", "results", args)
const summary = (ask: AskTool) => ask("get_visibility_summary")

/** The most frequent name; among equally frequent ones, the first in alphabetical order. */
const mostFrequent = (names: ReadonlyArray<string>): string =>
  [...Map.groupBy(names, (name) => name)].toSorted(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))[0]![0]

/** Rows of completed scans with the names in each, and the share of each name; `nth` = 1 for the newest scan. */
const shares = `with names as (
    select 'brand' as id, brand->>'name' as name from tracked_set where organization_id = $1 and version = 1
    union all select c->>'id', c->>'name' from tracked_set, jsonb_array_elements(competitors) c
    where organization_id = $1 and version = 1
  ), scans as (
    select id, started_at, completed_at, row_number() over (order by started_at desc)::int as nth
    from scan where organization_id = $1 and status = 'completed'
  ), cells as (
    select scans.nth, scans.completed_at, a.platform, a.keyword_id, a.prompt_used, names.name, names.id as who,
      m.brand_mentioned as brand, m.sentiment, cardinality(m.competitors_mentioned) as rivals,
      case when names.id = 'brand' and m.brand_mentioned
          or names.id <> 'brand' and names.id::text = any(m.competitors_mentioned::text[])
        then 100.0 / (m.brand_mentioned::int + cardinality(m.competitors_mentioned)) else 0 end as share
    from scans join answer a on a.organization_id = $1 and a.scan_id = scans.id
    join measurement m on m.organization_id = $1 and m.answer_id = a.id
    cross join names
  ), platforms as (
    select nth, completed_at, name, who, platform, avg(share) as share from cells group by 1, 2, 3, 4, 5
  ), totals as (
    select nth, completed_at, name, who, avg(share) as share,
      rank() over (partition by nth order by avg(share) desc)::int as place
    from platforms group by 1, 2, 3, 4
  )`

interface Question {
  readonly question: string
  readonly answer: (ask: AskTool) => Promise<unknown>
  /** A query that returns one row with the column `v`; $1 is the organization. */
  readonly sql: string
}

const time = "to_char(completed_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"

/** The questions. Each answer may use only what tools return. */
export const questions: ReadonlyArray<Question> = [
  {
    question: "Who leads?",
    answer: async (ask) => (await summary(ask)).history[0].leaders[0],
    sql: `${shares} select name as v from totals where nth = 1 and place = 1`
  },
  {
    question: "With what share does the leading competitor lead?",
    answer: async (ask) => (await summary(ask)).competitors[0].sov,
    sql: `${shares} select round(share, 1)::float8 as v from totals where nth = 1 and place = 1`
  },
  {
    question: "Since when does it lead?",
    answer: async (ask) => {
      const { history } = await summary(ask)
      const end = history.findIndex((one: { leaders: Array<string> }) => one.leaders[0] !== history[0].leaders[0])
      return history.at(end === -1 ? -1 : end - 1).completed_at
    },
    sql: `${shares} select ${time} as v from totals where place = 1
      and name = (select name from totals where nth = 1 and place = 1)
      and nth < (select min(nth) from totals where place = 1
        and name <> (select name from totals where nth = 1 and place = 1)) order by nth desc limit 1`
  },
  {
    question: "Who led before?",
    answer: async (ask) => {
      const { history } = await summary(ask)
      return history.find((one: { leaders: Array<string> }) => one.leaders[0] !== history[0].leaders[0]).leaders[0]
    },
    sql: `${shares} select name as v from totals where place = 1
      and name <> (select name from totals where nth = 1 and place = 1) order by nth limit 1`
  },
  {
    question: "What is the brand called?",
    answer: async (ask) => (await summary(ask)).brand.name,
    sql: "select brand->>'name' as v from tracked_set where organization_id = $1"
  },
  {
    question: "Which rank has the brand?",
    answer: async (ask) => (await summary(ask)).brand.rank,
    sql: `${shares} select place as v from totals where nth = 1 and who = 'brand'`
  },
  {
    question: "How far behind the leader is the brand, in points?",
    answer: async (ask) => {
      const { brand, competitors } = await summary(ask)
      return Math.round(10 * (competitors[0].sov - brand.sov)) / 10
    },
    sql: `${shares} select round((select max(share) from totals where nth = 1) - share, 1)::float8 as v
      from totals where nth = 1 and who = 'brand'`
  },
  {
    question: "What changed since the scan before, in points?",
    answer: async (ask) => (await summary(ask)).trend.delta,
    sql: `${shares} select round((select share from totals where nth = 1 and who = 'brand') - share, 1)::float8 as v
      from totals where nth = 2 and who = 'brand'`
  },
  {
    question: "On which platforms did it change?",
    answer: async (ask) => (await summary(ask)).moved.platforms.map((one: { platform: string }) => one.platform).join(),
    sql: `${shares} select string_agg(a.platform, ',' order by a.platform) as v from platforms a
      join platforms b using (platform, who) where a.nth = 1 and b.nth = 2 and who = 'brand' and a.share <> b.share`
  },
  {
    question: "Which competitor gained most?",
    answer: async (ask) =>
      (await summary(ask)).moved.competitors.toSorted((a: { delta: number }, b: { delta: number }) =>
        b.delta - a.delta
      )[0]
        .name,
    sql: `${shares} select a.name as v from totals a join totals b using (who)
      where a.nth = 1 and b.nth = 2 and who <> 'brand' order by a.share - b.share desc limit 1`
  },
  {
    question: "What does the operator call the platform where the brand is weakest?",
    answer: async (ask) => {
      const { platform_labels, platforms } = await summary(ask)
      return platform_labels[
        platforms.toSorted((a: { score: number }, b: { score: number }) => a.score - b.score)[0].platform
      ]
    },
    sql: `${shares} select case platform when 'assistant_a' then 'ChatGPT' else 'Gemini' end as v from platforms
      where nth = 1 and who = 'brand' order by share limit 1`
  },
  {
    question: "Which question is the weakest?",
    answer: async (ask) => (await summary(ask)).keywords[0].prompt,
    sql: `${shares} select prompt_used as v from cells where nth = 1 and who = 'brand'
      group by 1 order by avg(share) limit 1`
  },
  {
    question: "Why: who is named most often where the brand is not?",
    answer: async (ask) =>
      mostFrequent(
        (await results(ask)).filter((one) => one.brand_mentioned === false).flatMap((one) => one.competitors_named)
      ),
    sql: `${shares} select name as v from cells where nth = 1 and not brand and who <> 'brand' and share > 0
      group by 1 order by count(*) desc limit 1`
  },
  {
    question: "How many answers name the brand?",
    answer: async (ask) => (await results(ask, { mentioned_only: true })).length,
    sql: `${shares} select count(*)::int as v from cells where nth = 1 and who = 'brand' and brand`
  },
  {
    question: "How many of these speak well of it?",
    answer: async (ask) => (await results(ask)).filter((one) => one.sentiment === "positive").length,
    sql: `${shares} select count(*)::int as v from cells where nth = 1 and who = 'brand' and sentiment = 'positive'`
  },
  {
    question: "How many questions got no answer?",
    answer: async (ask) => (await summary(ask)).failed_count,
    sql: `${shares} select count(*)::int as v from cell where organization_id = $1 and state = 'failed'
      and scan_id = (select id from scans where nth = 1)`
  },
  {
    question: "When did the last scan complete?",
    answer: async (ask) => (await summary(ask)).completed_at,
    sql: `${shares} select ${time} as v from scans where nth = 1`
  },
  {
    question: "How many questions do we track?",
    answer: async (ask) => (await allOf(ask, "list_keywords", "keywords", { status: "active" })).length,
    sql: "select count(*)::int as v from keyword where organization_id = $1 and status = 'active'"
  },
  {
    question: "What did the weakest platform answer to the first question?",
    answer: async (ask) => {
      const { keywords: [first] } = await ask("list_keywords", { query: "workshop 0?" })
      const { data } = await ask("get_answer_archive", { keyword_id: first.id, platform: "assistant_b", limit: 1 })
      return data[0].raw_response
    },
    sql: `select raw_response as v from answer where organization_id = $1 and platform = 'assistant_b'
      and prompt_used like '%workshop 0?' order by created_at desc, id desc limit 1`
  },
  {
    question: "How many visits did assistants send?",
    answer: async (ask) => (await ask("get_ai_traffic")).referrer_signals.total,
    sql: "select sum(count)::int as v from traffic_count where organization_id = $1 and signal = 'referrer'"
  }
]

/** Whether two values agree; the difference of two rounded shares may be off by a tenth. */
const isSame = (said: unknown, known: unknown): boolean =>
  typeof said === "number" && typeof known === "number" ? Math.abs(said - known) < 0.11 : said === known

/** For each question, the assistant's answer, the database's answer, and whether they agree. */
export const gradeAssistant = (ask: AskTool, organizationId: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return yield* Effect.forEach(questions, ({ answer, question, sql: text }) =>
      Effect.gen(function*() {
        const said = yield* Effect.promise(() => answer(ask))
        const [row] = yield* sql.unsafe<{ readonly v: unknown }>(text, [organizationId])
        return { question, said, known: row?.v, right: row !== undefined && isSame(said, row.v) }
      }))
  })
