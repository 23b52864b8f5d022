/** Actions: what to do next, each with its evidence, and the decisions about earlier actions. */
import { type AuditEntryId, pluralized } from "@sov/core/common"
import { atLeast } from "@sov/core/people"
import { roundPoints } from "@sov/core/scoring"
import {
  type ActionMark,
  type ActionReport,
  type ActionState,
  describeAction,
  effectOf,
  laterDays,
  type ListedAction
} from "@sov/core/sources"
import { formatDate, formatMinute } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { formIdField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { emptyState, hidden } from "./lists.ts"
import { declareList, listTable, type ListViewOf } from "./listView.ts"
import { inOrganization } from "./sections.ts"
import { platformName } from "./words.ts"

const stateWords: { readonly [S in ActionState]: string } = {
  done: "Done",
  later: "Later",
  dismissed: "Not for us"
}

/** Whether the action is about one question, rather than a page, a fact or a name. */
const isAboutQuestion = ({ rule }: ListedAction): boolean => rule === "rival_leads" || rule === "question_lost"

/** The address of the page that shows more about the subject of an action, or where the names are changed. */
const linkTo = ({ organization: { slug }, role }: Frame, action: ListedAction) => {
  const { examples, rivals, rule, subject } = action
  return rule === "fact_contradicted"
    ? inOrganization(slug, "/card/answers")
    : isAboutQuestion(action)
    ? inOrganization(slug, `/keywords/${subject}`)
    : rule === "spelling_untracked" && atLeast(role, "member")
    ? inOrganization(slug, `/competitors/${rivals[0] ?? "brand"}`)
    : rule === "untracked_leader"
    ? inOrganization(slug, "/competitors#suggestions")
    : inOrganization(slug, `/answers/${examples[0]}`)
}

const heading = (frame: Frame, action: ListedAction, report: ActionReport): Html =>
  html`<a href="${linkTo(frame, action)}">${visible(describeAction(action, report).title)}</a>`

const effectWords = { named: "of answers that name you", cited: "of answers that cite it" } as const

const describeEffect = (action: ListedAction): Fragment =>
  action.effect !== null &&
  html`<p>The gap is ${roundPoints(action.effect.low)} to ${roundPoints(action.effect.high)} points ${
    effectWords[effectOf(action)!]
  }, on ${
    pluralized(action.keywords.length, "question")
  }. It is an association, not a cause: a change may close less of it, or nothing.</p>`

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

/** Why no experiment shows the effect: it needs many questions, of which only a half is treated. */
const howToFindOut = (action: ListedAction): Fragment =>
  action.effect !== null &&
  html`<p class="small">${
    isAboutQuestion(action)
      ? "One question is too few for an experiment"
      : "A page answers all its questions, so an experiment cannot hold half of them out"
  }: compare scans before and after the change instead.</p>`

const actionPanel = (frame: Frame, { formId, report }: ActionsContent, action: ListedAction): Html => {
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
  }</p>${howToFindOut(action)}${atLeast(frame.role, "member") && marking(frame, formId, action, title)}</section>`
}

const undoForm = (frame: Frame, formId: AuditEntryId, { id, title }: ActionMark): Html =>
  html`<form method="post" action="${inOrganization(frame.organization.slug, `/actions/${id}/undo`)}">${
    formIdField(formId)
  }<button>Undo<span class="hidden"> ${visible(title)}</span></button></form>`

/** The list of decisions. */
export const decisionList = declareList({
  text: ({ state, title }: ActionMark) => `${title} ${stateWords[state]}`,
  by: {
    when: ({ markedAt }) => markedAt.getTime(),
    action: ({ title }) => title,
    decision: ({ state }) => stateWords[state]
  },
  usual: "-when",
  perPage: 50
})

const markedPanel = (frame: Frame, { formId, report: { marks }, view }: ActionsContent): Fragment =>
  marks.length > 0 &&
  html`<section class="panel" aria-labelledby="marked"><header><h2 id="marked">Decided</h2></header>${
    listTable({
      labelledBy: "marked",
      things: "decisions",
      list: decisionList,
      rows: marks,
      view,
      at: (query) => inOrganization(frame.organization.slug, "/actions", { ...query }),
      columns: (head) => [
        head("action", { title: "Action" }, "ascending"),
        head("decision", { title: "Decision" }, "ascending"),
        head("when", { title: "When" }),
        hidden("Change")
      ],
      row: (mark) =>
        html`<tr><th scope="row" class="break">${visible(mark.title)}</th><td data-name="decision">${
          stateWords[mark.state]
        }${mark.until !== null && html` until ${formatDate(mark.until)}`}</td><td data-name="when">${
          formatDate(mark.markedAt)
        }</td><td class="num">${atLeast(frame.role, "member") && undoForm(frame, formId, mark)}</td></tr>`
    })
  }<footer>Done: it comes back when answers after that day alone show it again. Later: it comes back on that day. Not for us: it stays away.</footer></section>`

export interface ActionsContent {
  /** Search, order and page of the decisions. */
  readonly view: ListViewOf<typeof decisionList>
  readonly report: ActionReport
  /** Whether there are no actions and names or topics changed since the newest scans were measured. */
  readonly namesChanged: boolean
  readonly formId: AuditEntryId
}

/** Why no action is shown although the answers may hold some. */
const measureAgainNote = ({ organization: { slug }, role }: Frame): Html =>
  html`<p>The names or topics changed since the answers were measured. ${
    atLeast(role, "member")
      ? html`<a href="${inOrganization(slug, "/competitors/measure")}">Measure again</a> to see actions.`
      : "Ask a member to measure again to see actions."
  }</p>`

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
        content.namesChanged
          ? html`<section class="panel"><div class="empty"><h2>No actions yet</h2>${
            measureAgainNote(frame)
          }</div></section>`
          : report.actions.length === 0
          ? html`<section class="panel">${
            emptyState(
              report.marks.length > 0 ? "Nothing else to do" : "Nothing to do",
              report.marks.length > 0
                ? `${pluralized(report.candidates, "candidate")} tested, ${
                  pluralized(report.marks.length, "action")
                } decided: no other candidate differs by more than chance.`
                : `${pluralized(report.candidates, "candidate")} tested: none differs by more than chance.`
            )
          }</section>`
          : report.actions.map((action) => actionPanel(frame, content, action))
      }${
        markedPanel(frame, content)
      }<p class="small">${report.actions.length} of ${report.candidates} candidates stand here, at most ten. The others ${
        report.marks.length > 0 && "are decided, "
      }differ by no more than chance, or rest on fewer than 12 answers.</p></div>`
  })
}

const shownNext = 3

/**
 * The first actions, for the overview; `report` is null if no actions have been computed yet. `namesChanged` is as in
 * `ActionsContent`.
 */
export const nextActionsPanel = (frame: Frame, report: ActionReport | null, namesChanged: boolean): Html => {
  const all = inOrganization(frame.organization.slug, "/actions")
  return html`<section class="panel" aria-labelledby="next"><header><h2 id="next">Next</h2>${
    report !== null && html`<p>scans up to ${formatMinute(new Date(report.asOf))}</p>`
  }<a href="${all}">${
    report === null || report.actions.length <= shownNext ? "Actions" : `All ${report.actions.length} actions`
  }</a></header>${
    report === null
      ? html`<p>Open Actions to look for what to do next in your answers.</p>`
      : namesChanged
      ? measureAgainNote(frame)
      : report.actions.length === 0
      ? html`<p>${
        report.marks.length > 0
          ? `Nothing else to do: ${pluralized(report.marks.length, "action")} decided.`
          : `Nothing to do: in ${
            pluralized(report.scans.length, "comparable scan")
          }, no page, question, fact or name differs by more than chance.`
      }</p>`
      : html`<ol class="plain">${
        report.actions.slice(0, shownNext).map((action) =>
          html`<li><b>${heading(frame, action, report)}</b><br>${visible(describeAction(action, report).why)} <small>${
            pluralized(action.answers, "answer")
          }</small></li>`
        )
      }</ol>`
  }</section>`
}
