/** The topics of the questions, which people can confirm, split or join. */
import { type AuditEntryId, pluralized } from "@sov/core/common"
import { atLeast } from "@sov/core/people"
import type { Topic } from "@sov/core/tracking"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { hiddenField } from "./fields.ts"
import { formIdField, linesField, seenField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { inOrganization } from "./sections.ts"

/** Topics of the questions, without removed questions. */
export interface TopicsContent {
  readonly questions: number
  readonly topics: number
  /** Topics with more than one question, unconfirmed ones first; at most `shownTopics`. */
  readonly several: ReadonlyArray<Topic>
  /** Number of topics with more than one question that nobody has confirmed. */
  readonly open: number
  /** Refused input of the form that joins questions, with the reason. */
  readonly refused: { readonly texts: string; readonly message: string } | null
  /** Whether somebody else has changed the topic since the form was opened. */
  readonly changed: boolean
}

/** Maximum number of topics on the page. */
export const shownTopics = 20

/** A topic as text for `seenField`. */
export const describeTopic = ({ keywords }: Topic): string => keywords.map(({ id }) => id).join(" ")

const formOf = (frame: Frame, formId: AuditEntryId, seen: string, content: Fragment): Html =>
  html`<form class="fields" method="post" action="${inOrganization(frame.organization.slug, "/keywords/topics")}">${
    formIdField(formId)
  }${seenField(seen)}${content}</form>`

const topicForm = (frame: Frame, topic: Topic, formId: AuditEntryId): Html => {
  const { decided, keywords } = topic
  const legend = `${pluralized(keywords.length, "question")}, ${decided ? "confirmed" : "found by the program"}`
  if (!atLeast(frame.role, "member")) {
    return html`<p class="small">${legend}</p><ul class="bullets">${
      keywords.map(({ text }) => html`<li>${visible(text)}</li>`)
    }</ul>`
  }
  return formOf(
    frame,
    formId,
    describeTopic(topic),
    html`${hiddenField("topic", keywords[0]!.id)}<fieldset><legend>${legend}</legend>${
      keywords.map(({ id, status, text }) =>
        html`<label><input type="checkbox"${attributes({ name: "keyword", value: id })}> ${visible(text)}${
          status === "archived" && " (removed)"
        }</label>`
      )
    }</fieldset><div class="actions">${
      !decided && html`<button name="act" value="keep">Confirm: they ask the same</button>`
    }<button name="act" value="split">Split off the checked questions</button></div>`
  )
}

const joinForm = (frame: Frame, { refused }: TopicsContent, formId: AuditEntryId): Html =>
  formOf(
    frame,
    formId,
    "",
    html`${hiddenField("act", "join")}${
      linesField({
        name: "texts",
        id: "same-texts",
        label: "Questions that ask the same, one per line",
        value: refused?.texts ?? "",
        required: true,
        hint: "As they are in the list above.",
        fault: refused?.texts ? refused.message : undefined
      })
    }<div class="actions"><button>Join into one topic</button></div>`
  )

/** The topics panel on the page of questions. */
export const topicsPanel = (frame: Frame, content: TopicsContent, formId: AuditEntryId): Html => {
  const { changed, open, questions, refused, several, topics } = content
  const isMember = atLeast(frame.role, "member")
  const left = open - several.filter(({ decided }) => !decided).length
  return html`<section class="panel" aria-labelledby="topics"><header><h2 id="topics">Topics</h2><p>${
    pluralized(questions, "question")
  }, ${
    pluralized(topics, "topic")
  }: questions that ask the same in other words are one topic, and count as one in every interval.</p></header>${
    changed &&
    html`<p class="note warn" role="alert">Someone else changed this topic in the meantime, so nothing was done.</p>`
  }${refused?.texts === "" && html`<p class="note warn" role="alert">${refused.message}</p>`}${
    several.map((topic) => topicForm(frame, topic, formId))
  }${left > 0 && html`<p class="small">${pluralized(left, "more topic")} to confirm after these.</p>`}${
    isMember && joinForm(frame, content, formId)
  }${
    isMember &&
    html`<footer>A decision starts a new series with the next scan, until you measure earlier scans again (under Competitors, or <code>sov rescore</code>). Before the end of an experiment nothing can be decided.</footer>`
  }</section>`
}
