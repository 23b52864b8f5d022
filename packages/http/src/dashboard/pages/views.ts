/** Views: the share in each market and persona, with its interval, and the form for a new view. */
import type { AuditEntryId } from "@sov/core/common"
import { describeMarket } from "@sov/core/platforms"
import { type Interval, nameOfView, otherQuestions, type ViewShare } from "@sov/core/scoring"
import { capturedView, describeImport } from "@sov/core/tracking"
import { estimateBar } from "../charts/bars.ts"
import { formatPercent, formatRange } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { confirmPage } from "./confirm.ts"
import { hiddenField } from "./fields.ts"
import { type Faults, formIdField, refusedNote, textField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, hidden, numeric, wideColumn } from "./lists.ts"
import { inOrganization } from "./sections.ts"

/** The values of the form for a view. */
export interface ViewForm {
  readonly name: string
  readonly country: string
  readonly language: string
  readonly context: string
}

export const emptyViewForm: ViewForm = { name: "", country: "", language: "", context: "" }

export interface ViewsContent {
  readonly shares: ReadonlyArray<ViewShare>
  readonly formId: AuditEntryId
  readonly input: ViewForm
  readonly faults: Faults<keyof ViewForm>
  /** The typed weight of each view, by name; null = no weights were entered. */
  readonly weights: ReadonlyMap<string, string> | null
  /** The share pooled by these weights, or a sentence about what is missing. */
  readonly pooled: { readonly sov: number; readonly interval: Interval | null } | string | null
}

const shareRow = (frame: Frame, { newest, surfaceLine, view }: ViewShare): Html => {
  const { slug } = frame.organization
  const name = nameOfView(view)
  const score = newest?.score
  return html`<tr><th scope="row" class="break">${
    newest === null
      ? visible(name)
      : html`<a class="plain" href="${inOrganization(slug, `/scans/${newest.scan.id}`)}">${visible(name)}</a>`
  }<br><small>${
    view === null
      ? "no market"
      : view.name === capturedView.name
      ? "market not recorded"
      : visible(describeMarket(view))
  }${view !== null && view.context !== null && html`, told before each question: “${visible(view.context)}”`}${
    view?.name === capturedView.name && newest !== null && html`, ${describeImport(newest.scan.cellCount)}`
  }</small></th><td class="num">${
    newest === null ? "not asked yet" : html`<b>${formatPercent(score?.avgSov)}</b>`
  }</td><td class="range">${formatRange(score?.uncertainty?.interval)}</td><td>${
    score?.avgSov == null ? null : estimateBar(score.avgSov, score.uncertainty?.interval ?? null)
  }</td><td class="wide">${visible(surfaceLine ?? "")}</td><td class="num">${
    view !== null && view.name !== capturedView.name && frame.role !== "viewer" &&
    html`<a class="button" href="${
      inOrganization(slug, "/views/wordings", { view: name })
    }">Words…<span class="hidden"> of ${visible(name)}</span></a> <a class="button danger" href="${
      inOrganization(slug, "/views/remove", { name })
    }">Remove…<span class="hidden"> ${visible(name)}</span></a>`
  }</td></tr>`
}

const sharesPanel = (frame: Frame, { shares }: ViewsContent): Html =>
  html`<section class="panel" aria-labelledby="shares"><header><h2 id="shares">Your share by buyer</h2><p>each view by itself</p></header>${
    dataTable(
      "shares",
      [
        "View",
        numeric("Share"),
        "95 %",
        hidden("Drawing from 0 to 100 %"),
        wideColumn("Surface"),
        hidden("Change")
      ],
      shares.map((share) => shareRow(frame, share)),
      "stacked"
    )
  }<footer>Intervals are for ${otherQuestions}. API answers are not what one person sees in an app: <a href="${
    inOrganization(frame.organization.slug, "/surfaces")
  }">API and app</a></footer></section>`

const pooledWords = ({ pooled, weights }: ViewsContent): Fragment =>
  pooled === null
    ? null
    : typeof pooled === "string"
    ? html`<p class="note warn">${visible(pooled)}</p>`
    : html`<p class="note">Weighted share <b>${formatPercent(pooled.sov)}</b> <span class="range">${
      formatRange(pooled.interval)
    }</span>, weighed ${
      visible(
        [...weights ?? []].filter(([, weight]) => weight !== "").map(([name, weight]) => `${name} ${weight}`).join(", ")
      )
    }.</p>`

const weightsPanel = (frame: Frame, content: ViewsContent): Fragment => {
  const { shares, weights } = content
  return shares.length > 1 &&
    html`<section class="panel" aria-labelledby="together"><header><h2 id="together">One number for all</h2><p>only by your own weights</p></header>${
      pooledWords(content)
    }<form class="fields" method="get" action="${inOrganization(frame.organization.slug, "/views")}">${
      shares.map(({ view }, n) =>
        textField({
          name: `weight_${nameOfView(view)}`,
          id: `weight-${n}`,
          label: visible(nameOfView(view)),
          decimal: true,
          value: weights?.get(nameOfView(view)) ?? "",
          fault: undefined
        })
      )
    }<div class="actions"><button>Work it out</button></div></form></section>`
}

const addPanel = (frame: Frame, { faults, formId, input }: ViewsContent): Fragment =>
  frame.role !== "viewer" &&
  html`<section class="panel" aria-labelledby="add"><header><h2 id="add">Add a view</h2><p>each scan then asks every question once more</p></header>${
    refusedNote(faults)
  }<form class="fields" method="post" action="${inOrganization(frame.organization.slug, "/views")}">${
    formIdField(formId)
  }${textField({ name: "name", label: "Name", value: input.name, required: true, fault: faults.name })}${
    textField({
      name: "country",
      label: "Country",
      value: input.country,
      hint: "Two letters such as DE, or empty",
      fault: faults.country
    })
  }${
    textField({
      name: "language",
      label: "Language",
      value: input.language,
      hint: "Two letters such as de, or empty. Questions are not translated.",
      fault: faults.language
    })
  }${
    textField({
      name: "context",
      label: "Said before each question",
      value: input.context,
      hint: "Word for word, such as: I run a bakery with five people.",
      fault: faults.context
    })
  }<div class="actions"><button class="primary">Add this view</button></div></form></section>`

export const viewsPage = (frame: Frame, content: ViewsContent): Html =>
  layout(frame, {
    title: "Views",
    here: "views",
    simulated: content.shares.some(({ newest }) => newest?.scan.simulated === true),
    summary: "Markets and personas to ask from",
    body: html`<div class="grid">${sharesPanel(frame, content)}${weightsPanel(frame, content)}${
      addPanel(frame, content)
    }</div>`
  })

/** Asks for confirmation before a view is removed. */
export const removeViewPage = (frame: Frame, name: string, formId: AuditEntryId): Html =>
  confirmPage(frame, {
    title: "Remove this view?",
    here: "views",
    back: { path: "/views", name: "Views" },
    action: "/views/remove",
    formId,
    fields: hiddenField("name", name),
    consequences: [
      html`Scans stop asking from the view ${visible(name)}.`,
      "Its scans and answers stay, and so does their proof."
    ],
    button: html`<button class="danger">Remove the view</button>`
  })
