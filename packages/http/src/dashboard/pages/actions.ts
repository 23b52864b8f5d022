/** Actions: what to do next, each with its evidence, and the decisions about earlier actions. */
import { type AuditEntryId, pluralized } from "@sov/core/common"
import { type ExperimentCost, maxPlanText, minTopics } from "@sov/core/experiments"
import { atLeast } from "@sov/core/people"
import { roundPoints } from "@sov/core/scoring"
import {
  type ActionMark,
  type ActionReport,
  type ActionState,
  canExperiment,
  describeAction,
  effectOf,
  laterDays,
  type ListedAction
} from "@sov/core/sources"
import { formatDate, formatMinute } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { describePrice } from "./evidence.ts"
import { planExperiment } from "./experiments.ts"
import { formIdField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState, hidden } from "./lists.ts"
import { inOrganization } from "./sections.ts"
import { platformName } from "./words.ts"

const stateWords: { readonly [S in ActionState]: string } = {
  done: "Done",
  later: "Later",
  dismissed: "Not for us"
}

/** The address of the page that shows more about the subject of an action. */
const linkTo = ({ slug }: Frame["organization"], { examples, rule, subject }: ListedAction) =>
  rule === "fact_contradicted"
    ? inOrganization(slug, "/card/answers")
    : rule === "rival_leads" || rule === "question_lost"
    ? inOrganization(slug, `/keywords/${subject}`)
    : rule === "untracked_leader"
    ? inOrganization(slug, "/competitors#suggestions")
    : inOrganization(slug, `/answers/${examples[0]}`)

const heading = (frame: Frame, action: ListedAction, report: ActionReport): Html =>
  html`<a href="${linkTo(frame.organization, action)}">${visible(describeAction(action, report).title)}</a>`

const effectWords = { named: "of answers that name you", cited: "of answers that cite it" } as const

const describeEffect = (action: ListedAction): Fragment =>
  action.effect !== null &&
  html`<p>Effect to expect: <b>${roundPoints(action.effect.low)} to ${roundPoints(action.effect.high)} points</b> ${
    effectWords[effectOf(action)!]
  }, on ${pluralized(action.keywords.length, "question")}. An association, not a cause.</p>`

const describeBack = ({ back }: ListedAction): Fragment =>
  back !== null &&
  html`<p class="note">${
    back.state === "done"
      ? `It is back: you marked it done on ${formatDate(back.since)}, and answers since then show it again.`
      : `It is back: you put it off on ${formatDate(back.since)}.`
  }</p>`

const marking = (frame: Frame, formId: AuditEntryId, { id }: ListedAction, title: string): Html =>
  html`<form method="post" action="${inOrganization(frame.organization.slug, `/actions/${id}/mark`)}">${
    formIdField(formId)
  }<div class="actions">${
    (["done", "later", "dismissed"] as const).map((state) =>
      html`<button name="state" value="${state}">${stateWords[state]}<span class="hidden">: ${
        visible(title)
      }</span></button>`
    )
  }<label>Days for “Later” <input type="number" name="days" required min="1" max="${laterDays.most}" value="${laterDays.usual}"></label></div></form>`

/** Maximum number of questions in the address of a planned experiment. */
const maxPlanned = 100

/** A link for planning an experiment that tests the action, or a note that it has too few questions. */
const experimentLink = (
  frame: Frame,
  cost: ActionsContent["cost"],
  action: ListedAction,
  title: string
): Fragment => {
  const { effect, keywords } = action
  return effect !== null && (!canExperiment(action)
    ? html`<p class="small">Too few questions for an experiment: ${keywords.length} of at least ${minTopics}.</p>`
    : html`${
      cost !== null &&
      html`<p class="small">To find out: ${pluralized(cost.scans, "scan")} after the change, ${
        describePrice(cost.answers, cost.costUsd)
      }.</p>`
    }<p><a class="button" href="${
      planExperiment(frame.organization.slug, {
        // More ids would not fit into an address; without ids, the planner offers all questions
        ...keywords.length <= maxPlanned && { keyword: keywords },
        name: title.slice(0, maxPlanText),
        change: title.slice(0, maxPlanText)
      })
    }">Plan an experiment<span class="hidden">: ${visible(title)}</span></a></p>`)
}

const actionPanel = (frame: Frame, { cost, formId, report }: ActionsContent, action: ListedAction): Html => {
  const { title, why } = describeAction(action, report)
  const { answers, examples, id, platforms } = action
  return html`<section class="panel" aria-labelledby="action-${id}"><header><h2 id="action-${id}">${
    heading(frame, action, report)
  }</h2></header>${describeBack(action)}<p>${visible(why)}</p>${describeEffect(action)}<p class="small">${
    pluralized(answers, "answer")
  } on ${visible(platforms.map((one) => platformName(frame, one)).join(", "))}, such as ${
    examples.slice(0, 3).map((answer, n) =>
      html`${n > 0 && ", "}<a href="${inOrganization(frame.organization.slug, `/answers/${answer}`)}">answer ${
        n + 1
      }<span class="hidden"> of “${visible(title)}”</span></a>`
    )
  }</p>${atLeast(frame.role, "member") && experimentLink(frame, cost, action, title)}${
    atLeast(frame.role, "member") && marking(frame, formId, action, title)
  }</section>`
}

const undoForm = (frame: Frame, formId: AuditEntryId, { id, title }: ActionMark): Html =>
  html`<form method="post" action="${inOrganization(frame.organization.slug, `/actions/${id}/undo`)}">${
    formIdField(formId)
  }<button>Undo<span class="hidden"> ${visible(title)}</span></button></form>`

const markedPanel = (frame: Frame, { formId, report: { marks } }: ActionsContent): Fragment =>
  marks.length > 0 &&
  html`<section class="panel" aria-labelledby="marked"><header><h2 id="marked">Decided</h2></header>${
    dataTable(
      "marked",
      ["Action", "Decision", hidden("Change")],
      marks.map((mark) =>
        html`<tr><th scope="row" class="break">${visible(mark.title)}</th><td data-name="decision">${
          stateWords[mark.state]
        } · ${formatDate(mark.markedAt)}${
          mark.until !== null && html`, until ${formatDate(mark.until)}`
        }</td><td class="num">${atLeast(frame.role, "member") && undoForm(frame, formId, mark)}</td></tr>`
      ),
      "stacked"
    )
  }<footer>Done: it comes back when answers after that day alone show it again. Later: it comes back on that day. Not for us: it stays away.</footer></section>`

export interface ActionsContent {
  readonly report: ActionReport
  /** Null if no scan could start now. */
  readonly cost: ExperimentCost | null
  readonly formId: AuditEntryId
}

/** The page of actions; `content` is null before the first completed scan. */
export const actionsPage = (frame: Frame, content: ActionsContent | null): Html => {
  const { slug } = frame.organization
  const report = content?.report
  return layout(frame, {
    title: "Actions",
    here: "actions",
    simulated: report?.simulated === true,
    summary: report === undefined
      ? "What to do next, with the answers behind it"
      : html`${pluralized(report.answers, "answer")} of ${pluralized(report.scans.length, "scan")} up to ${
        formatMinute(new Date(report.asOf))
      }`,
    actions: report !== undefined && report.actions.length > 0 &&
      html`<div class="actions"><a class="button" href="${
        inOrganization(slug, "/actions.csv")
      }">Download CSV</a></div>`,
    body: content === null || report === undefined
      ? html`<section class="panel">${
        emptyState("There are no answers yet", "After the first scans this page says what to do next, and why.")
      }</section>`
      : html`<div class="grid">${
        report.actions.length === 0
          ? html`<section class="panel">${
            emptyState(
              "Nothing to do",
              `${pluralized(report.candidates, "candidate")} tested: no other differs by more than chance.`
            )
          }</section>`
          : report.actions.map((action) => actionPanel(frame, content, action))
      }${
        markedPanel(frame, content)
      }<p class="small">${report.actions.length} of ${report.candidates} candidates stand here; the others differ by no more than chance, or rest on fewer than 12 answers.</p></div>`
  })
}

const shownNext = 3

/** The first actions, for the overview; `report` is null if no actions have been computed yet. */
export const nextActionsPanel = (frame: Frame, report: ActionReport | null): Html => {
  const all = inOrganization(frame.organization.slug, "/actions")
  return html`<section class="panel" aria-labelledby="next"><header><h2 id="next">Next</h2>${
    report !== null && html`<p>scans up to ${formatMinute(new Date(report.asOf))}</p>`
  }<a href="${all}">${
    report === null || report.actions.length <= shownNext ? "Actions" : `All ${report.actions.length} actions`
  }</a></header>${
    report === null
      ? html`<p>Open Actions to look for what to do next in your answers.</p>`
      : report.actions.length === 0
      ? html`<p>Nothing to do: no page, question or fact differs by more than chance.</p>`
      : html`<ol class="plain">${
        report.actions.slice(0, shownNext).map((action) =>
          html`<li><b>${heading(frame, action, report)}</b><br>${visible(describeAction(action, report).why)} <small>${
            pluralized(action.answers, "answer")
          }</small></li>`
        )
      }</ol>`
  }</section>`
}
