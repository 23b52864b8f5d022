/**
 * Renders the text and HTML of an e-mail from one template. Any words in it may be hostile: names, questions, keywords.
 */
import { oneLine } from "../oneLine.ts"
import type { MailContent } from "./Mail.ts"

/** The content of an e-mail before it is rendered. */
export interface MailTemplate {
  readonly subject: string
  readonly opening: string
  /** Names with their values, one per line. */
  readonly facts: ReadonlyArray<readonly [name: string, value: string]>
  readonly paragraphs: ReadonlyArray<string>
  /** A link to more details: an http or https address that sov itself creates, never one from outside. */
  readonly link?: { readonly words: string; readonly url: string } | undefined
  /** Lines in small print at the end. */
  readonly footer: ReadonlyArray<string>
}

/** Maximum length of a subject in UTF-16 units. */
const maxSubjectLength = 200

const entities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;",
  "'": "&#39;"
}
/** A line of foreign text for the HTML of an e-mail. */
export const escapeLine = (text: string): string =>
  oneLine(text).replaceAll(/[&<>"']/g, (character) => entities[character]!)

const shortened = (text: string): string =>
  text.length <= maxSubjectLength
    ? text
    : `${text.slice(0, maxSubjectLength - 1).toWellFormed().replace(/\uFFFD$/, "")}…`

/** An HTML element whose text has its own reading direction. */
const element = (name: string, text: string, style = ""): string =>
  `<${name} dir="auto"${style === "" ? "" : ` style="${style}"`}>${escapeLine(text)}</${name}>`

/**
 * Renders the e-mail. The subject is one line; the HTML has no image, no external content, and no link except `link`.
 */
export const renderMail = ({ facts, footer, link, opening, paragraphs, subject }: MailTemplate): MailContent => {
  const width = Math.max(0, ...facts.map(([name]) => name.length))
  const text = [
    oneLine(opening),
    facts.map(([name, value]) => `${`${name}:`.padEnd(width + 2)}${oneLine(value)}`).join("\n"),
    ...paragraphs.map(oneLine),
    ...link === undefined ? [] : [`${oneLine(link.words)}: ${link.url}`],
    `-- \n${footer.map(oneLine).join("\n")}`
  ].filter((part) => part !== "")
  const rows = facts.map(([name, value]) =>
    `<tr><td style="padding:2px 16px 2px 0;color:#666">${escapeLine(name)}</td>${
      element("td", value, "padding:2px 0;font-weight:bold")
    }</tr>`
  )
  const html = [
    "<!doctype html>",
    `<html lang="en"><head><meta charset="utf-8"><title>${escapeLine(subject)}</title></head>`,
    "<body style=\"font:15px/1.5 sans-serif;color:#222;max-width:40em\">",
    element("p", opening),
    ...rows.length === 0 ? [] : [`<table>${rows.join("")}</table>`],
    ...paragraphs.map((paragraph) => element("p", paragraph)),
    ...link === undefined ? [] : [`<p><a href="${escapeLine(link.url)}">${escapeLine(link.words)}</a></p>`],
    ...footer.map((line) => element("p", line, "margin:0;color:#666;font-size:13px")),
    "</body></html>"
  ]
  return { subject: shortened(oneLine(subject)), text: `${text.join("\n\n")}\n`, html: `${html.join("\n")}\n` }
}
