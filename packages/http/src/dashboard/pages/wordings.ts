/** The words in which a view asks each question: a field per question. */
import type { AuditEntryId, KeywordId } from "@sov/core/common"
import { describeMarket, type View } from "@sov/core/platforms"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { hiddenField } from "./fields.ts"
import { formIdField, refusedNote, seenField, textField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { emptyState } from "./lists.ts"
import { inOrganization } from "./sections.ts"

/** A question with the words of the view; empty = its own text. */
export interface WordedQuestion {
  readonly id: KeywordId
  readonly text: string
  readonly wording: string
}

export interface WordingsContent {
  readonly view: View
  readonly page: number
  readonly pages: number
  readonly questions: ReadonlyArray<WordedQuestion>
  readonly formId: AuditEntryId
  /** The typed texts of a form that was not saved. */
  readonly typed: ReadonlyMap<KeywordId, string> | null
  /** The question whose text was refused, and why. */
  readonly fault: { readonly id: KeywordId; readonly message: string } | null
  /** Somebody else changed a wording meanwhile. */
  readonly changed: boolean
}

/** The wordings of these questions as text, for `seenField`; empty without any. */
export const describeWordings = (questions: ReadonlyArray<Pick<WordedQuestion, "id" | "wording">>): string =>
  questions.flatMap(({ id, wording }) => wording === "" ? [] : `${id} ${wording}`).join("\n")

const pageLink = (frame: Frame, { view }: WordingsContent, page: number, words: string): Html =>
  html`<a class="button" href="${
    inOrganization(frame.organization.slug, "/views/wordings", { view: view.name, page: String(page) })
  }">${words}</a>`

const pagesNote = (frame: Frame, content: WordingsContent): Fragment =>
  content.pages > 1 &&
  html`<nav class="pager" aria-label="Pages of questions"><span>Page ${content.page} of ${content.pages}</span><span class="actions">${
    content.page > 1 && pageLink(frame, content, content.page - 1, "Previous")
  }${content.page < content.pages && pageLink(frame, content, content.page + 1, "Next")}</span></nav>`

const wordingsForm = (frame: Frame, content: WordingsContent): Html => {
  const { changed, fault, formId, page, questions, typed, view } = content
  return html`<section class="panel" aria-labelledby="wordings"><header><h2 id="wordings">In the words of this view</h2><p>an empty field asks the question as it is</p></header>${
    refusedNote(fault === null ? {} : { text: fault.message })
  }${
    changed &&
    html`<p class="note warn" role="alert">Someone else changed these words in the meantime, so nothing was saved. Below are yours: save again to replace theirs.</p>`
  }<form class="fields" method="post" action="${
    inOrganization(frame.organization.slug, "/views/wordings", page === 1 ? {} : { page: String(page) })
  }">${formIdField(formId)}${seenField(describeWordings(questions))}${hiddenField("view", view.name)}${
    questions.map(({ id, text, wording }) =>
      html`${hiddenField("keyword", id)}${
        textField({
          name: "text",
          id: `text-${id}`,
          label: html`<span class="break">${visible(text)}</span>`,
          value: typed?.get(id) ?? wording,
          fault: fault?.id === id ? fault.message : undefined
        })
      }`
    )
  }<div class="actions"><button class="primary">Save the words</button></div></form>${
    pagesNote(frame, content)
  }<footer>sov translates nothing: these are your own words, sent as they are.</footer></section>`
}

export const wordingsPage = (frame: Frame, content: WordingsContent): Html =>
  layout(frame, {
    title: `Words of the view “${content.view.name}”`,
    here: "views",
    simulated: false,
    summary: html`<a href="${inOrganization(frame.organization.slug, "/views")}">Views</a> · ${
      visible(describeMarket(content.view))
    }`,
    body: html`<div class="grid">${
      content.questions.length === 0
        ? emptyState("No question is active", "Add questions first.")
        : wordingsForm(frame, content)
    }</div>`
  })
