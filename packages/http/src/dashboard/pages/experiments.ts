/** The list of an organization's experiments, and the link for planning one. */
import type { Experiment, ExperimentState } from "@sov/core/experiments"
import { atLeast } from "@sov/core/people"
import type { Address } from "../Address.ts"
import { formatCalendarDay } from "../charts/numbers.ts"
import { type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { emptyState, wideColumn } from "./lists.ts"
import { declareList, listTable, type ListViewOf } from "./listView.ts"
import { inOrganization } from "./sections.ts"

export const experimentStates: { readonly [state in ExperimentState]: string } = {
  planned: "sealed, before the change",
  running: "running",
  ended: "ended",
  stopped: "ended without a result"
}

/** The address of the form for a new experiment with the questions of these tags, by default with all questions. */
export const planExperiment = (slug: string, tag: ReadonlyArray<string> = []): Address =>
  inOrganization(slug, "/experiments/new", { tag })

/** Formats a day of a plan. */
export const formatPlanDay = (day: string): string => formatCalendarDay(new Date(`${day}T00:00:00Z`))

/** The list of experiments; `sealed` is when a plan was drawn. */
export const experimentList = declareList({
  text: ({ plan, state }: Experiment) => `${plan.name} ${plan.change} ${experimentStates[state]}`,
  by: {
    sealed: ({ seal }) => seal.sequence,
    name: ({ plan }) => plan.name,
    state: ({ state }) => experimentStates[state],
    change: ({ plan }) => plan.from,
    result: ({ plan }) => plan.until
  },
  usual: "-sealed",
  perPage: 50
})
type ExperimentView = ListViewOf<typeof experimentList>

const experimentsList = (frame: Frame, experiments: ReadonlyArray<Experiment>, view: ExperimentView): Html =>
  html`<section class="panel" aria-labelledby="list"><header><h2 id="list">All plans</h2>${
    view.sort === "sealed" && html`<p>newest first</p>`
  }</header>${
    listTable({
      labelledBy: "list",
      things: "experiments",
      list: experimentList,
      rows: experiments,
      view,
      at: (query) => inOrganization(frame.organization.slug, "/experiments", { ...query }),
      columns: (head) => [
        head("name", { title: "Experiment" }, "ascending"),
        head("state", { title: "State" }, "ascending"),
        head("change", { title: "Change" }),
        head("result", { title: "Result after" }),
        wideColumn("What is changed")
      ],
      row: ({ plan, state }) =>
        html`<tr><th scope="row" class="break"><a class="plain" href="${
          inOrganization(frame.organization.slug, `/experiments/${plan.id}`)
        }">${visible(plan.name)}</a>${plan.simulated && html` <span class="tag">Simulated</span>`}</th><td>${
          experimentStates[state]
        }</td><td data-name="change">${formatPlanDay(plan.from)}</td><td data-name="result after">${
          formatPlanDay(plan.until)
        }</td><td class="wide break">${visible(plan.change)}</td></tr>`
    })
  }<footer>Every plan that was ever drawn stays in this list: it cannot be edited or removed.</footer></section>`

export const experimentsPage = (
  frame: Frame,
  { experiments, view }: { readonly experiments: ReadonlyArray<Experiment>; readonly view: ExperimentView }
): Html => {
  const button = atLeast(frame.role, "member") &&
    html`<a class="button primary" href="${planExperiment(frame.organization.slug)}">Plan an experiment</a>`
  return layout(frame, {
    title: "Experiments",
    here: "experiments",
    simulated: experiments.length > 0 && experiments.every(({ plan }) => plan.simulated),
    summary: "Did a change of yours raise your share?",
    actions: experiments.length > 0 && button,
    body: experiments.length > 0 ? experimentsList(frame, experiments, view) : html`<section class="panel">${
      emptyState(
        "No experiments yet",
        "Change something for half of your topics, drawn at random, and leave the other half alone. What the first half gains beyond the second is what the change did.",
        button === false ? undefined : button
      )
    }</section>`
  })
}
