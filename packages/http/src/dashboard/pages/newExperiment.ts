/** The form for a new experiment: its questions, the smallest effect that it could detect, and the plan to seal. */
import type { AuditEntryId, KeywordId, NotReady } from "@sov/core/common"
import { pluralized } from "@sov/core/common"
import { type ExperimentPreview, maxPlanText, maxScansAfter, minTopics } from "@sov/core/experiments"
import type { Keyword } from "@sov/core/tracking"
import { formatCount } from "../charts/numbers.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { hiddenField } from "./fields.ts"
import { choiceField, type Faults, formIdField, refusedNote, textField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState, numeric } from "./lists.ts"
import { inOrganization } from "./sections.ts"

export const planFields = ["name", "change", "from", "until", "scans"] as const
export type PlanField = (typeof planFields)[number]

export interface NewExperimentContent {
  /** Active questions that the form offers. */
  readonly keywords: ReadonlyArray<Pick<Keyword, "id" | "text">>
  readonly tags: ReadonlyArray<string>
  /** The chosen questions and tags; empty = all. */
  readonly choice: { readonly keyword: ReadonlyArray<KeywordId>; readonly tag: ReadonlyArray<string> }
  /** The effect that the chosen questions could detect, or what must be set up first. */
  readonly preview: ExperimentPreview | { readonly missing: NotReady["missing"] | "scan" }
  readonly formId: AuditEntryId
  readonly input: { readonly [field in PlanField]: string }
  readonly faults: Faults<PlanField | "keywords">
}

/** Maximum number of questions that the form lists individually; more ids would not fit into an address. */
const maxOffered = 150

const chooser = (frame: Frame, { choice, input, keywords, tags }: NewExperimentContent): Html =>
  html`<section class="panel" aria-labelledby="choose"><header><h2 id="choose">Which questions could it affect?</h2></header><form class="fields" method="get" action="${
    inOrganization(frame.organization.slug, "/experiments/new")
  }" data-live>${planFields.map((field) => hiddenField(field, input[field]))}${
    tags.length > 0 &&
    choiceField({
      name: "tag",
      label: "Tags",
      type: "checkbox",
      choices: tags.map((one) => [one, visible(one)]),
      chosen: choice.tag,
      fault: undefined
    })
  }${
    keywords.length > maxOffered
      ? [
        html`<p class="small">${formatCount(keywords.length)} active questions: choose them by tag.</p>`,
        choice.keyword.map((id) => hiddenField("keyword", id))
      ]
      : html`<details${attributes({ open: choice.keyword.length > 0 })}><summary>Choose questions</summary>${
        choiceField({
          name: "keyword",
          label: html`<span class="hidden">Questions</span>`,
          type: "checkbox",
          choices: keywords.map(({ id, text }) => [id, visible(text)]),
          chosen: choice.keyword,
          fault: undefined
        })
      }</details>`
  }<p class="small">Nothing chosen: all active questions. Questions that ask the same are one topic.</p><p><button>Update</button></p></form></section>`

const riseWords = (rise: number | null): string => rise === null ? "none" : `${rise} points`

const powerPanel = (preview: ExperimentPreview): Html => {
  const four = preview.rises.find(({ scansAfter }) => scansAfter === 4)
  return html`<section class="panel" aria-labelledby="power"><header><h2 id="power">Would we see it?</h2></header>${
    four === undefined
      ? html`<p>${
        preview.scansBefore < 2
          ? `The noise of these questions is known from two scans of everything on, and there ${
            preview.scansBefore === 1 ? "is one" : "are 0"
          } with the present names and rules.`
          : `These questions are ${
            pluralized(preview.topics, "topic")
          }, and an experiment needs at least ${minTopics}: with fewer, only a rise of more than 20 points would be seen.`
      }</p>`
      : html`<p>${
        four.rise === null
          ? "With four scans after the change no rise would be seen in 80 of 100 cases."
          : html`A rise of <strong>${four.rise} points or more</strong> on the treated topics is seen in 80 of 100 cases with four scans after the change. A smaller one will most likely stay unseen.`
      }</p>${
        dataTable(
          "power",
          ["Scans after the change", numeric("You would see")],
          preview.rises.map(({ rise, scansAfter }) =>
            html`<tr><th scope="row">${scansAfter}</th><td class="num">${riseWords(rise)}</td></tr>`
          )
        )
      }`
  }<footer>${pluralized(preview.keywords, "question")} on ${
    pluralized(preview.topics, "topic")
  }, from the noise of the last ${pluralized(preview.scansBefore, "scan")} of everything.</footer></section>`
}

const pairsPanel = ({ keywords }: NewExperimentContent, { pairs }: ExperimentPreview): Html => {
  const texts = new Map<string, string>(keywords.map(({ id, text }) => [id, text]))
  const words = (ids: ReadonlyArray<KeywordId>) => visible(ids.map((id) => texts.get(id) ?? id).join(" · "))
  return html`<section class="panel" aria-labelledby="pairs"><header><h2 id="pairs">The pairs</h2><p>${
    pluralized(pairs.length, "pair")
  } of topics with like shares so far</p></header><details class="fold"${
    attributes({ open: pairs.length <= 10 })
  }><summary>Show the pairs</summary>${
    dataTable(
      "pairs",
      ["One topic", "and the other"],
      pairs.map(({ held_out, treated }) =>
        html`<tr><td class="break">${words(treated)}</td><td class="break">${words(held_out)}</td></tr>`
      ),
      "stacked"
    )
  }</details><footer>Which of each pair is treated is drawn when the plan is sealed, by a seed that nobody chooses.</footer></section>`
}

const planPanel = (frame: Frame, { choice, faults, formId, input }: NewExperimentContent): Html => {
  const field = (name: PlanField, label: string, more: Partial<Parameters<typeof textField>[0]> = {}) =>
    textField({ name, label, value: input[name], required: true, fault: faults[name], ...more })
  return html`<section class="panel" aria-labelledby="plan"><header><h2 id="plan">The plan</h2></header>${
    refusedNote(faults)
  }${
    faults.keywords !== undefined && html`<p class="note warn" role="alert">${visible(faults.keywords)}</p>`
  }<form class="fields" method="post" action="${inOrganization(frame.organization.slug, "/experiments")}">${
    formIdField(formId)
  }${choice.keyword.map((id) => hiddenField("keyword", id))}${choice.tag.map((one) => hiddenField("tag", one))}${
    field("name", "Name", { maxLength: maxPlanText })
  }${
    field("change", "What you will change, in one sentence", {
      maxLength: maxPlanText,
      hint: "Such as “A guide for each treated topic”"
    })
  }${
    field("from", "Day of the change", {
      type: "date",
      hint: "In UTC, tomorrow at the earliest. The newest scans before it are the comparison."
    })
  }${field("until", "Last day", { type: "date", hint: "The result is shown from the day after it on." })}${
    field("scans", "Scans after the change that count", { type: "number", min: 1, max: maxScansAfter })
  }<ul class="bullets"><li>Sealing draws the treated topics and writes the plan into the chain of the archive.</li><li>After that nobody can change it. It can only be ended, with a reason.</li><li>No share or effect is shown before the last day is over.</li></ul><div class="actions"><button class="primary">Draw and seal</button></div></form></section>`
}

const missingPanel = ({ organization: { slug } }: Frame, missing: NotReady["missing"] | "scan"): Html =>
  html`<section class="panel">${
    missing === "scan"
      ? emptyState(
        "Two scans first",
        "An experiment compares scans before a change with scans after it, and learns the noise from them.",
        html`<a class="button" href="${inOrganization(slug, "/scans/new")}">Start a scan</a>`
      )
      : emptyState(
        "Set your brand first",
        "sov searches answers for its name.",
        html`<a class="button" href="${inOrganization(slug, "/competitors/brand")}">Set the brand</a>`
      )
  }</section>`

export const newExperimentPage = (frame: Frame, content: NewExperimentContent): Html => {
  const { preview } = content
  const body = (): Fragment =>
    "missing" in preview
      ? missingPanel(frame, preview.missing)
      : html`<div class="grid"><div class="grid two">${chooser(frame, content)}${powerPanel(preview)}</div>${
        preview.pairs.length > 0 && html`${pairsPanel(content, preview)}${planPanel(frame, content)}`
      }</div>`
  return layout(frame, {
    title: "Plan an experiment",
    here: "experiments",
    simulated: !("missing" in preview) && preview.simulated,
    summary: html`<a href="${
      inOrganization(frame.organization.slug, "/experiments")
    }">Experiments</a> · not sealed yet`,
    body: body()
  })
}
