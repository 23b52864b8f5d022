/** Why tools disagree: the same answers counted by each definition of voice. */
import type { Scan } from "@sov/core/scanning"
import {
  definitionWords,
  describeJudged,
  describeQuestions,
  otherQuestions,
  type Score,
  type SentimentShares,
  type Voice,
  type VoiceShare
} from "@sov/core/scoring"
import { formatPercent, formatRange } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, numeric } from "./lists.ts"
import { narrowedNote } from "./scanWords.ts"

const shareCell = ({ interval, value }: VoiceShare, highest: boolean): Html =>
  html`<td class="num">${highest ? html`<b>${formatPercent(value)}</b>` : formatPercent(value)}${
    interval !== null && html` <span class="range">${formatRange(interval)}</span>`
  }</td>`

/** The sentiment of the answers that name the brand; empty if no answer names it. */
const sentimentPanel = (found: SentimentShares): Fragment =>
  found.named > 0 &&
  html`<section class="panel" aria-labelledby="sentiment"><header><h2 id="sentiment">Sentiment</h2><p>${
    describeJudged(found)
  }</p></header>${
    found.judged > 0 && dataTable(
      "sentiment",
      ["Sentiment", numeric("Share"), "95 %", numeric("Answers")],
      found.shares.map(({ answers, interval, sentiment, value }) =>
        html`<tr><th scope="row">${sentiment}</th><td class="num"><b>${
          formatPercent(value)
        }</b></td><td class="range">${formatRange(interval)}</td><td class="num">${answers}</td></tr>`
      )
    )
  }<footer>Of the judged answers. Ranges: 95 %, for ${otherQuestions}. An answer in a language that sov cannot read is not judged, and is in no share.</footer></section>`

/** The page for an organization with a score. */
export const definitionsPage = (
  frame: Frame,
  { scan, score, voice }: { readonly scan: Scan; readonly score: Score; readonly voice: Voice }
): Html =>
  layout(frame, {
    title: "Why tools disagree",
    here: "overview",
    simulated: scan.simulated,
    summary: html`The same answers under each definition of voice${
      score.uncertainty !== null && ` (${describeQuestions(score.uncertainty)})`
    }`,
    body: html`${
      narrowedNote(scan)
    }<section class="panel" aria-labelledby="definitions"><header><h2 id="definitions">By definition</h2></header>${
      dataTable(
        "definitions",
        ["Definition", ...voice.names.map(({ name }) => numeric(name)), numeric("Answers")],
        voice.columns.map(({ answers, definition, shares }) => {
          const top = Math.max(...shares.map(({ value }) => value ?? -1))
          return html`<tr><th scope="row">${definitionWords[definition].title}<br><small>${
            definitionWords[definition].says
          }</small></th>${
            shares.map((share) => shareCell(share, share.value !== null && share.value === top))
          }<td class="num">${answers}</td></tr>`
        })
      )
    }<footer>Bold: the highest of the definition. Ranges: 95 %, for ${otherQuestions}. The brand stands first: ${
      visible(voice.names[0]!.name)
    }. Shares depend on whom you track; the mention rate does not.</footer></section>${sentimentPanel(voice.sentiment)}`
  })
