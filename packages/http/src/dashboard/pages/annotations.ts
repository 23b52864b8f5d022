/** Annotations: dated events that the charts show. */
import type { AuditEntryId } from "@sov/core/common"
import { atLeast } from "@sov/core/people"
import { type Annotation, maxAnnotationText } from "@sov/core/scoring"
import { formatCalendarDay } from "../charts/numbers.ts"
import { type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { type Faults, formIdField, refusedNote, textField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { emptyState, hidden } from "./lists.ts"
import { declareList, listTable, type ListViewOf } from "./listView.ts"
import { inOrganization } from "./sections.ts"

/** The list of annotations. */
export const annotationList = declareList({
  text: ({ day, text }: Annotation) => `${day} ${text}`,
  by: { day: ({ day }) => day, text: ({ text }) => text },
  usual: "-day",
  perPage: 50
})

export interface AnnotationsContent {
  readonly view: ListViewOf<typeof annotationList>
  /** Sorted by day. */
  readonly annotations: ReadonlyArray<Annotation>
  readonly formId: AuditEntryId
  readonly input: Pick<Annotation, "day" | "text">
  readonly faults: Faults<"day" | "text">
}

const removeForm = (frame: Frame, formId: AuditEntryId, { id, text }: Annotation): Html =>
  html`<form method="post" action="${inOrganization(frame.organization.slug, `/annotations/${id}/remove`)}">${
    formIdField(formId)
  }<button class="danger">Remove<span class="hidden"> ${visible(text)}</span></button></form>`

const listPanel = (frame: Frame, { annotations, formId, view }: AnnotationsContent): Html =>
  html`<section class="panel" aria-labelledby="list"><header><h2 id="list">On the charts</h2></header>${
    annotations.length === 0
      ? emptyState("No annotations yet", "Note a release or a campaign to see it on every chart of your share.")
      : listTable({
        labelledBy: "list",
        things: "annotations",
        list: annotationList,
        rows: annotations.toReversed(),
        view,
        at: (query) => inOrganization(frame.organization.slug, "/annotations", { ...query }),
        columns: (head) => [
          head("day", { title: "Day" }),
          head("text", { title: "What happened" }, "ascending"),
          hidden("Change")
        ],
        row: (one) =>
          html`<tr><th scope="row">${formatCalendarDay(new Date(`${one.day}T00:00:00Z`))}</th><td class="break">${
            visible(one.text)
          }</td><td class="num">${atLeast(frame.role, "member") && removeForm(frame, formId, one)}</td></tr>`
      })
  }<footer>Where a model, the names or the rules change, sov marks the break by itself.</footer></section>`

const addPanel = (frame: Frame, { faults, formId, input }: AnnotationsContent): Html =>
  html`<section class="panel" aria-labelledby="add"><header><h2 id="add">Add an annotation</h2></header>${
    refusedNote(faults)
  }<form class="fields" method="post" action="${inOrganization(frame.organization.slug, "/annotations")}">${
    formIdField(formId)
  }${textField({ name: "day", label: "Day", type: "date", value: input.day, required: true, fault: faults.day })}${
    textField({
      name: "text",
      label: "What happened",
      value: input.text,
      required: true,
      maxLength: maxAnnotationText,
      hint: "Such as “New pricing page”",
      fault: faults.text
    })
  }<div class="actions"><button class="primary">Add annotation</button></div></form></section>`

export const annotationsPage = (frame: Frame, content: AnnotationsContent): Html =>
  layout(frame, {
    title: "Annotations",
    here: "overview",
    summary: html`<a href="${inOrganization(frame.organization.slug, "")}">Overview</a> · what happened, and when`,
    body: html`<div class="grid">${listPanel(frame, content)}${
      atLeast(frame.role, "member") && addPanel(frame, content)
    }</div>`
  })
