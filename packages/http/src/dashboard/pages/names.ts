/**
 * Forms for names: the brand, a competitor, or a new competitor. Each form can preview its effect on the archive before
 * the names are stored.
 */
import { type AuditEntryId, pluralized } from "@sov/core/common"
import { maxNameLength } from "@sov/core/organizations"
import type { Brand, Competitor, NamesPreview } from "@sov/core/tracking"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { confirmPage } from "./confirm.ts"
import { changedActNote, changedNote, formIdField, linesField, seenField, textField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { changedAnswers, changedScores } from "./rescorePreview.ts"
import { inOrganization } from "./sections.ts"

/** The typed values of a names form; fields for several names or domains have one per line. */
export interface TypedNames {
  readonly name: string
  readonly aliases: string
  readonly domains: string
  readonly excludes: string
  readonly context: string
}

/** Why the form was refused. */
export interface RefusedNames {
  readonly field: keyof TypedNames
  readonly message: string
}

/** The state of a names form. */
export interface NamesForm {
  readonly typed: TypedNames
  readonly refused: RefusedNames | null
  /** The current names in the format of `namesText`. */
  readonly now: string
  /** Whether somebody else has changed the names since the form was opened. */
  readonly changed: boolean
  readonly formId: AuditEntryId
}

export const noNames: TypedNames = { name: "", aliases: "", domains: "", excludes: "", context: "" }

/** The names of the brand or of a competitor; a competitor has no `excludes`. */
type Entity = Omit<Competitor, "id"> & { readonly excludes?: ReadonlyArray<string> }

/** The tracked names as the values of a form. */
export const toTypedNames = ({ aliases, context = [], domains, excludes = [], name }: Entity): TypedNames => ({
  name,
  aliases: aliases.join("\n"),
  domains: domains.join("\n"),
  excludes: excludes.join("\n"),
  context: context.join("\n")
})

/** The tracked names as text, so that a form can detect whether they have changed. */
export const namesText = (entity: Entity | null): string => {
  if (entity === null) return "nothing yet"
  const { aliases, context = [], domains, excludes = [], name } = entity
  return [
    name,
    ...aliases.length === 0 ? [] : [`also known as ${aliases.join(", ")}`],
    ...domains.length === 0 ? [] : [`domains ${domains.join(", ")}`],
    ...excludes.length === 0 ? [] : [`excluded terms ${excludes.join(", ")}`],
    ...context.length === 0 ? [] : [`context words ${context.join(", ")}`]
  ].join("; ")
}

const fieldWords = {
  aliases: { label: "Also known as", hint: "One per line: other spellings, abbreviations, former names." },
  domains: {
    label: "Domains",
    hint:
      "One per line, such as acme.example. Pages there are its own sources. An answer that writes acme.example in its text names it; a link or an e-mail address does not."
  },
  excludes: { label: "Excluded terms", hint: "One per line: names that contain yours but mean somebody else." },
  context: {
    label: "Context words",
    hint:
      "One per line, for names that are ordinary words. The name counts only in answers that contain one of them, or to questions that do."
  }
} as const

const namesFields = ({ refused, typed }: NamesForm, names: ReadonlyArray<keyof TypedNames>): Fragment =>
  names.map((name) => {
    const fault = refused?.field === name ? refused.message : undefined
    return name === "name"
      ? textField({
        name,
        label: "Name",
        hint: "As people write it",
        value: typed.name,
        fault,
        required: true,
        maxLength: maxNameLength
      })
      : linesField({ name, ...fieldWords[name], value: typed[name], fault })
  })

/** The names form. Its two buttons preview the effect on the archive and store the names. */
export const namesForm = (
  { organization: { slug } }: Frame,
  form: NamesForm,
  { fields, path, save }: {
    readonly path: `/${string}`
    readonly fields: ReadonlyArray<keyof TypedNames>
    readonly save: string
  }
): Html =>
  html`${form.changed && changedNote(visible(form.now))}<form class="fields" method="post" action="${
    inOrganization(slug, path)
  }">${formIdField(form.formId)}${seenField(form.now)}${
    namesFields(form, fields)
  }<div class="actions"><button name="step" value="preview">Preview</button><button class="primary" name="step" value="save">${save}</button><a class="button" href="${
    inOrganization(slug, "/competitors")
  }">Cancel</a></div></form>`

const listTerms = ({ aliases, context = [], domains, excludes = [], name }: Entity): ReadonlyArray<string> => [
  `the name ${name}`,
  ...aliases.map((alias) => `${name}, also known as ${alias}`),
  ...domains.map((domain) => `${name}, domain ${domain}`),
  ...excludes.map((term) => `${name}, excluded term ${term}`),
  ...context.map((word) => `${name}, context word ${word}`)
]

/** The names that a change adds and removes, in words. */
const describeChange = ({ before, set }: NamesPreview): Fragment => {
  const [old, next] = [before, set].map((one) =>
    one === null ? [] : [one.brand as Entity, ...one.competitors].flatMap(listTerms)
  )
  return html`<ul class="bullets">${
    next!.filter((term) => !old!.includes(term)).map((term) => html`<li>New: ${visible(term)}</li>`)
  }${old!.filter((term) => !next!.includes(term)).map((term) => html`<li>Removed: ${visible(term)}</li>`)}</ul>`
}

/** Spellings that count only if they are entered under "Also known as". */
const offeredAliases = ({ offers }: NamesPreview): Fragment =>
  offers.length > 0 &&
  html`<p>These spellings may also be other words or names. They count everywhere only if you add them under “Also known as”:</p><ul class="bullets">${
    offers.map(({ answers, text }) =>
      html`<li>${visible(text)}${
        answers > 0 && html` (in ${pluralized(answers, "more answer")} of the newest scans)`
      }</li>`
    )
  }</ul>`

/** The effect of a change on the names and on the newest scans. */
const namesPreview = (frame: Frame, preview: NamesPreview): Html => {
  const { archive, before, set } = preview
  if (set === before) {
    return html`<section class="panel" aria-labelledby="preview" role="status"><header><h2 id="preview">What would change</h2></header><p>Nothing: these are the current names.</p></section>`
  }
  const counts = archive.platforms.map(({ tally }) => tally)
  const sum = (count: (tally: typeof counts[number]) => number) => counts.reduce((all, one) => all + count(one), 0)
  return html`<section class="panel" aria-labelledby="preview" role="status"><header><h2 id="preview">What would change</h2>${
    archive.scans.length > 0 &&
    html`<p>Latest ${pluralized(archive.scans.length, "scan")}, measured with these names</p>`
  }</header>${describeChange(preview)}${
    archive.scans.length === 0
      ? html`<p>No scan has completed yet. The first one will use these names.</p>`
      : html`${changedScores(frame, "preview", archive)}<p class="small">Of ${
        pluralized(sum(({ answers }) => answers), "answer")
      }, ${sum(({ changes }) => changes.gained)} would newly name you, and ${
        sum(({ changes }) => changes.lost)
      } would no longer name you.</p>`
  }${
    offeredAliases(preview)
  }<footer>Nothing is saved yet. Changes apply from the next scan on; earlier scans keep their numbers until you measure them again.</footer></section>${
    archive.examples.length > 0 && changedAnswers(frame, archive)
  }`
}

interface EditOptions {
  readonly title: string
  readonly path: `/${string}`
  readonly fields: ReadonlyArray<keyof TypedNames>
  readonly save: string
  /** A sentence that says what happens after the names are stored. */
  readonly follows?: string
}

const editPage = (frame: Frame, form: NamesForm, preview: NamesPreview | null, options: EditOptions): Html =>
  layout(frame, {
    title: options.title,
    here: "competitors",
    simulated: preview?.archive.scans.some(({ scan }) => scan.simulated) ?? false,
    summary: html`<a href="${inOrganization(frame.organization.slug, "/competitors")}">Competitors</a>`,
    body: html`<div class="grid">${
      preview !== null && namesPreview(frame, preview)
    }<section class="panel" aria-labelledby="names"><header><h2 id="names">Names</h2></header>${
      namesForm(frame, form, options)
    }<footer>${
      options.follows ??
        "The next scan uses these names. Earlier scans keep theirs until you measure them again."
    }</footer></section></div>`
  })

/** The form for the brand; setting the brand is the first step. */
export const brandPage = (frame: Frame, form: NamesForm, preview: NamesPreview | null = null): Html =>
  editPage(frame, form, preview, {
    title: "Your brand",
    path: "/competitors/brand",
    fields: ["name", "aliases", "domains", "excludes", "context"] satisfies ReadonlyArray<keyof Brand>,
    save: "Save"
  })

/** The form for a competitor, whose main name cannot be changed. */
export const competitorPage = (
  frame: Frame,
  { id, name }: Pick<Competitor, "id" | "name">,
  form: NamesForm,
  preview: NamesPreview | null = null
): Html =>
  editPage(frame, form, preview, {
    title: name,
    path: `/competitors/${id}`,
    fields: ["aliases", "domains", "context"],
    save: "Save"
  })

/** Options of the form that adds a competitor, used on its own page and in the list. */
export const addOptions = {
  path: "/competitors",
  fields: ["name", "aliases", "domains", "context"],
  save: "Add"
} as const

/** The form for a new competitor, shown after a preview. */
export const newCompetitorPage = (frame: Frame, form: NamesForm, preview: NamesPreview | null = null): Html =>
  editPage(frame, form, preview, { title: "Add a competitor", ...addOptions })

/** The form that adds a suggested name; `answers` is the number of archived answers. */
export const acceptPage = (frame: Frame, form: NamesForm, preview: NamesPreview | null, answers: number): Html =>
  editPage(frame, form, preview, {
    title: "Accept a suggestion",
    ...addOptions,
    follows: `The next scan includes it. From the list of competitors you can then measure the archive again (${
      pluralized(answers, "answer")
    }) to update earlier scans; until then they keep their scores.`
  })

/** Asks for confirmation before a competitor is removed, and states the consequences. */
export const removeCompetitorPage = (
  frame: Frame,
  { changed, competitor, formId, preview }: {
    readonly competitor: Competitor
    readonly preview: NamesPreview
    readonly formId: AuditEntryId
    /** Whether somebody else has changed the competitor since the page was opened. */
    readonly changed: boolean
  }
): Html => {
  const { id, name } = competitor
  const now = namesText(competitor)
  return confirmPage(frame, {
    title: `Remove ${name}`,
    here: "competitors",
    simulated: preview.archive.scans.some(({ scan }) => scan.simulated),
    back: { path: "/competitors", name: "Competitors" },
    action: `/competitors/${id}/remove`,
    formId,
    before: namesPreview(frame, preview),
    note: changed && changedActNote(visible(now)),
    consequences: [
      `The next scan leaves out ${visible(name)}: the shares of others rise where it was named beside them.`,
      "Earlier scores still include it until their scans are measured again.",
      "Scans measured with different names are not compared with each other."
    ],
    fields: seenField(now),
    button: html`<button class="danger">Remove ${visible(name)}</button>`
  })
}
