/** The card compared with answers: what the answers state about the card's facts, and where they contradict it. */
import {
  type AnswerClaim,
  type CardField,
  cardFieldNames,
  type CardJudgeSummary,
  type CheckedCard,
  describeFindings,
  type FactStanding,
  splitByReader
} from "@sov/core/card"
import { pluralized } from "@sov/core/common"
import { formatDate } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { fieldTitle } from "./card.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState, numeric } from "./lists.ts"
import { inOrganization } from "./sections.ts"
import { platformName } from "./words.ts"

/** Maximum number of quotes per fact on the page; the CSV contains all of them. */
const shownClaims = 5
/** Maximum number of quotes that a judge found. */
const shownJudged = 20

const verdictWords: { readonly [V in AnswerClaim["verdict"]]: string } = {
  contradicts: "contradicts",
  out_of_date: "out of date",
  agrees: "agrees"
}

/** Title of a fact, such as `Founding date`; a fact that the card itself names keeps that name. */
const factTitle = (fact: string): string =>
  (cardFieldNames as ReadonlyArray<string>).includes(fact) ? fieldTitle(fact as CardField) : visible(fact)

const claimItem = (frame: Frame, claim: AnswerClaim): Html =>
  html`<li><blockquote>${visible(claim.quote.slice(0, 400))}</blockquote><p class="small">${
    verdictWords[claim.verdict]
  }${claim.decidedBy !== "rules" && html`, judged by ${visible(claim.decidedBy)}`} · ${
    visible(platformName(frame, claim.platform))
  } · <time datetime="${claim.createdAt.toISOString()}">${formatDate(claim.createdAt)}</time>${
    claim.cited.length > 0 && html` · cites ${visible(claim.cited.slice(0, 3).join(", "))}`
  } · <a href="${
    inOrganization(frame.organization.slug, `/answers/${claim.answerId}`)
  }">Whole answer<span class="hidden"> of ${formatDate(claim.createdAt)} on ${
    factTitle(claim.fact)
  }</span></a></p></li>`

/** A fact that answers contradict more often than misreadings can explain, with quotes from the answers. */
const findingPanel = (
  frame: Frame,
  fact: FactStanding,
  claims: ReadonlyArray<AnswerClaim>,
  index: number
): Html =>
  html`<section class="panel" aria-labelledby="finding-${index}"><header><h2 id="finding-${index}">${
    factTitle(fact.fact)
  }</h2></header><p>Your card says <b>${visible(fact.says.join(", "))}</b>. ${
    pluralized(fact.counts.contradicts, "answer")
  } ${fact.counts.contradicts === 1 ? "says" : "say"} otherwise.</p><ul class="plain">${
    claims.slice(0, shownClaims).map((claim) => claimItem(frame, claim))
  }</ul><footer>Correct the page that they cite, or <a href="${
    inOrganization(frame.organization.slug, "/card/edit")
  }">change the card</a> if it is out of date.</footer></section>`

const judgedRow = ({ counts, fact, notJudged, notStated, says }: FactStanding): Html =>
  html`<tr><th scope="row">${factTitle(fact)}</th><td class="break">${
    visible(says.join(", "))
  }</td><td class="num" data-name="contradict">${counts.contradicts}</td><td class="num" data-name="agree">${counts.agrees}</td><td class="num" data-name="not stated">${notStated}</td><td class="num" data-name="not judged">${notJudged}</td></tr>`

/** The facts in free text, with everything that the judge found, because its counts prove nothing. */
const judgedPanel = (
  frame: Frame,
  judge: CardJudgeSummary,
  facts: ReadonlyArray<FactStanding>,
  { claims, read, unread }: CheckedCard
): Html => {
  const found = claims.filter(({ decidedBy }) => decidedBy !== "rules")
  return html`<section class="panel" aria-labelledby="judged"><header><h2 id="judged">Facts in free text</h2></header><p>Decided by ${
    visible(judge.by.join(", "))
  }, an AI model: ${judge.answersJudged} of ${
    pluralized(read + unread, "answer")
  } judged. Nobody has measured how often it is wrong: read the answer before you act.${
    judge.factsNotJudged > 0 &&
    html` Not judged: ${pluralized(judge.factsNotJudged, "fact")} in ${pluralized(judge.answersNotJudged, "answer")}.`
  }${judge.factsLeftOut > 0 && html` Left out: ${pluralized(judge.factsLeftOut, "fact")}.`}${
    judge.discarded > 0 && html` Discarded: ${pluralized(judge.discarded, "decision")}.`
  }</p>${
    dataTable(
      "judged",
      ["Fact", "Your card", ...["Contradict", "Agree", "Not stated", "Not judged"].map((title) => numeric(title))],
      facts.map(judgedRow),
      "stacked"
    )
  }${
    found.length > 0 &&
    html`<ul class="plain">${
      found.slice(0, shownJudged).map((claim) =>
        html`<li><b>${factTitle(claim.fact)}</b><ul class="plain">${claimItem(frame, claim)}</ul></li>`
      )
    }</ul>`
  }</section>`
}

const factRow = ({ counts, fact, notStated, says }: FactStanding): Html =>
  html`<tr><th scope="row">${factTitle(fact)}</th><td class="break">${
    visible(says.join(", "))
  }</td><td class="num" data-name="contradict">${counts.contradicts}</td><td class="num" data-name="out of date">${counts.out_of_date}</td><td class="num" data-name="agree">${counts.agrees}</td><td class="num wide">${notStated}</td></tr>`

/** The facts that rules read. What is known about the rules' errors holds for these alone. */
const ruledPanel = (facts: ReadonlyArray<FactStanding>): Html =>
  html`<section class="panel" aria-labelledby="facts"><header><h2 id="facts">Facts that rules read</h2></header>${
    dataTable(
      "facts",
      ["Fact", "Your card", numeric("Contradict"), numeric("Out of date"), numeric("Agree"), {
        title: "Not stated",
        class: "num wide"
      }],
      facts.map(factRow),
      "stacked"
    )
  }<footer>Read by rules, in eight languages, where a statement is next to your name. Up to 5 % of contradictions are misread, so a few among many statements are no finding.</footer></section>`

/** The page of answers and the card; `checked` is null before the first completed scan. */
export const cardAnswersPage = (
  frame: Frame,
  checked: CheckedCard | null
): Html => {
  const { slug } = frame.organization
  const { judged, ruled } = splitByReader(checked?.facts ?? [])
  const body: Fragment = checked === null || checked.facts.length === 0
    ? html`<section class="panel">${
      emptyState(
        checked === null ? "There are no answers yet" : "The card has no fact that answers can be held against",
        checked === null
          ? "After the first scan this page shows which answers contradict your business card."
          : "Enter the founding date, seat, employees, leaders or typed facts such as prices."
      )
    }</section>`
    : html`<div class="grid">${ruled.length > 0 && html`<p>${describeFindings(ruled).replace(/^n/, "N")}.</p>`}${
      ruled.filter(({ isContradicted }) => isContradicted).map((fact, i) =>
        findingPanel(
          frame,
          fact,
          checked.claims.filter((claim) => claim.fact === fact.fact && claim.verdict === "contradicts"),
          i
        )
      )
    }${judged.length > 0 && judgedPanel(frame, checked.judge!, judged, checked)}${
      ruled.length > 0 && ruledPanel(ruled)
    }</div>`
  return layout(frame, {
    title: "Card against answers",
    here: "card",
    simulated: checked?.scans[0].simulated ?? false,
    summary: html`<a href="${inOrganization(slug, "/card")}">Business card</a>${
      checked !== null && checked.facts.length > 0 &&
      html` · ${pluralized(checked.read, "answer")} that name you, of ${pluralized(checked.scans.length, "scan")}${
        checked.unread > 0 && html`, ${checked.unread} more not read`
      }`
    }`,
    actions: checked !== null && checked.claims.length > 0 &&
      html`<div class="actions"><a class="button" href="${
        inOrganization(slug, "/card/answers.csv")
      }">Download CSV</a></div>`,
    body
  })
}
