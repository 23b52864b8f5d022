/**
 * Response bodies of DataForSEO, as in its client's types (dataforseo-client 2.1.7) and its documentation (2026-11).
 */
const head = { version: "0.1.20261101", time: "3.1 sec.", tasks_count: 1, tasks_error: 0 }

export const whole = (result: object) => ({
  ...head,
  status_code: 20000,
  status_message: "Ok.",
  cost: 0.004,
  tasks: [{ id: "1", status_code: 20000, status_message: "Ok.", cost: 0.004, result_count: 1, result: [result] }]
})

const page = (url: string, title: string) => ({ type: "ai_overview_reference", domain: new URL(url).host, url, title })
const anvils = page("https://example.org/anvils", "Anvils compared")

const item = { type: "ai_overview", rank_group: 1, rank_absolute: 1, markdown: "**Acme** leads.", references: [anvils] }
const organic = { type: "organic", rank_group: 1, title: "Anvils", url: "https://example.org/" }

export const aiMode = whole({ item_types: ["ai_overview"], items_count: 1, items: [item] })
export const overview = whole({ item_types: ["ai_overview", "organic"], items_count: 2, items: [item, organic] })
export const withoutOverview = whole({ item_types: ["organic"], items_count: 1, items: [organic] })
export const partsOnly = whole({
  items: [{
    ...item,
    markdown: null,
    items: [{ type: "ai_overview_element", text: "Acme leads." }, {
      type: "ai_overview_element",
      text: "Initech follows."
    }]
  }]
})
export const textless = whole({ items: [{ ...item, markdown: null, items: null, asynchronous_ai_overview: true }] })
export const chatGpt = whole({
  model: "gpt-6-1",
  markdown: "**Acme** leads.",
  sources: [anvils],
  search_results: [page("https://example.net/initech", "Initech reviewed")],
  fan_out_queries: ["best anvil 2026"],
  items: null
})

/** Body of a call that failed as a whole. */
export const fault = (status_code: number) => ({
  ...head,
  status_code,
  status_message: "Something failed.",
  cost: 0,
  tasks: null
})
/** Body of a successful call whose task failed. */
export const taskFault = (status_code: number, cost = 0) => ({
  ...head,
  status_code: 20000,
  status_message: "Ok.",
  cost,
  tasks_error: 1,
  tasks: [{ id: "1", status_code, status_message: "Something failed.", cost, result_count: 0, result: null }]
})
