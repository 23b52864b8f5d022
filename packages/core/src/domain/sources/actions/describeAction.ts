/** Describes actions in words. */
import type { CompetitorId } from "../../ids.ts"
import { roundHalfUp } from "../../scoring/Score.ts"
import type { Keyword } from "../../tracking/Keyword.ts"
import type { Action, ActionRule } from "./Action.ts"

/** The names that the descriptions of actions use. */
export interface ActionNames {
  readonly keywords: ReadonlyArray<Pick<Keyword, "id" | "text">>
  readonly competitors: ReadonlyArray<{ readonly id: CompetitorId; readonly name: string }>
}

const percent = (value: number): string => `${roundHalfUp(value, 0)} %`

const titles: { readonly [R in ActionRule]: (subject: string, rivals: string) => string } = {
  fact_contradicted: (subject) => `Correct what answers say about ${subject}`,
  page_without_you: (subject) => `Get onto ${subject}`,
  rival_leads: (subject, rivals) => `Catch up with ${rivals} on “${subject}”`,
  question_lost: (subject) => `Win back “${subject}”`,
  own_page_not_cited: (subject) => `Make ${subject} worth citing`,
  own_page_not_naming: (subject) => `Name yourself on ${subject}`,
  spelling_untracked: (subject, rivals) => `Check whether “${subject}” means ${rivals === "" ? "you" : rivals}`,
  untracked_leader: (subject) => `Check whether ${subject} competes with you`
}

const reasons: { readonly [R in ActionRule]: (action: Action, rivals: string) => string } = {
  fact_contradicted: ({ answers }) => `${answers} answers of the newest scans contradict your business card.`,
  page_without_you: ({ elsewhere, here }, rivals) =>
    `Answers that cite it name you in ${percent(here)}, other answers to the same questions in ${
      percent(elsewhere)
    }. They name ${rivals}.`,
  rival_leads: ({ elsewhere, here }, rivals) =>
    `On every platform more answers name ${rivals} than you: ${percent(elsewhere)} against ${percent(here)}.`,
  question_lost: ({ elsewhere, here }) =>
    `Newer answers name you in ${percent(here)}, older ones did in ${percent(elsewhere)}.`,
  own_page_not_cited: ({ elsewhere, here }) =>
    `Platforms that read it cite it in ${percent(here)} of answers, and other pages that they read then in ${
      percent(elsewhere)
    }.`,
  own_page_not_naming: ({ elsewhere, here }) =>
    `Answers that cite it name you in ${percent(here)}, other answers to the same questions in ${percent(elsewhere)}.`,
  spelling_untracked: ({ elsewhere, here }, rivals) =>
    `${percent(here)} of answers count for ${rivals === "" ? "you" : rivals}; if this spelling counts too, it is ${
      percent(elsewhere)
    }.`,
  untracked_leader: ({ elsewhere, here }, rivals) =>
    `On the questions whose answers name you or a competitor, ${percent(elsewhere)} name it, and ${
      percent(here)
    } name ${rivals === "" ? "you" : `${rivals}, your most named competitor`}. Your share of voice leaves it out.`
}

const maxNames = 3

/** Describes what to do (`title`) and why (`why`). */
export const describeAction = (action: Action, { competitors, keywords }: ActionNames) => {
  const nameOf = (id: CompetitorId) => competitors.find((one) => one.id === id)?.name ?? id
  const rivals = action.rivals.slice(0, maxNames).map(nameOf).join(", ")
  const subject = keywords.find(({ id }) => id === action.subject)?.text ?? action.subject.replace(/^https:\/\//, "")
  return { title: titles[action.rule](subject, rivals), why: reasons[action.rule](action, rivals) }
}

/** What the points of an action's effect are of: answers that name the brand, or that cite the page. */
export const effectOf = ({ effect, rule }: Pick<Action, "effect" | "rule">): "named" | "cited" | null =>
  effect === null ? null : rule === "own_page_not_cited" ? "cited" : "named"
