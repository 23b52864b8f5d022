/**
 * Parts of forms. Each field keeps its input and shows its error. Hidden fields make a form safe to send twice
 * (`formIdField`) or late (`seenField`).
 */
import { type AuditEntryId, pluralized } from "@sov/core/common"
import { maxTimeZoneLength } from "@sov/core/schedules"
import { createHash } from "node:crypto"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { type Choice, hiddenField } from "./fields.ts"

/** Why input is not accepted: a sentence for each field name. */
export type Faults<Field extends string = string> = { readonly [field in Field]?: string }

/** A short hash of what a form showed. If the hash of the current state differs, somebody has changed it since. */
export const fingerprint = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16)

/** Lets a form take effect only once, however often it is sent: `readFormId` reads the id, and `runOnce` checks it. */
export const formIdField = (id: AuditEntryId): Html => hiddenField("form_id", id)

/** Contains a hash of what the form shows, so that `isAsSeen` can detect whether it has changed. */
export const seenField = (shown: string): Html => hiddenField("seen", fingerprint(shown))

interface FieldOptions {
  readonly name: string
  readonly label: Fragment
  /** The accepted input, in words. */
  readonly hint?: Fragment
  /** Why the input is not accepted. */
  readonly fault: string | undefined
  /** Distinguishes fields with the same name in several forms of a page. */
  readonly id?: string
}

const describe = ({ fault, hint, id }: Pick<FieldOptions, "fault" | "hint"> & { readonly id: string }) => ({
  ids: attributes({
    "aria-describedby": [fault !== undefined && `${id}-fault`, hint !== undefined && `${id}-hint`]
      .filter((one) => one !== false).join(" ") || null,
    "aria-invalid": fault !== undefined && "true",
    // The browser focuses the first field with an error
    autofocus: fault !== undefined
  }),
  faultLine: fault !== undefined && html`<span class="fault" id="${id}-fault">${visible(fault)}</span>`,
  hintLine: hint !== undefined && html`<small id="${id}-hint">${hint}</small>`
})

interface TextOptions extends FieldOptions {
  readonly value: string
  readonly type?: "text" | "email" | "url" | "date" | "number"
  readonly required?: boolean
  readonly maxLength?: number
  /** Minimum of a number field. */
  readonly min?: number
  readonly max?: number
  /** Whether a number may have decimals, with a point or a comma. Phones show a numeric keyboard. */
  readonly decimal?: boolean
}

/** A field for one line of text. */
export const textField = (
  { decimal = false, fault, hint, id, label, max, maxLength, min, name, required = false, type = "text", value }:
    TextOptions
): Html => {
  const own = id ?? name
  const { faultLine, hintLine, ids } = describe({ fault, hint, id: own })
  return html`<div class="field"><label for="${own}">${label}</label><input${
    attributes({
      id: own,
      name,
      type,
      value,
      required,
      maxlength: maxLength,
      min,
      max,
      inputmode: decimal && "decimal",
      autocomplete: "off"
    })
  }${ids}>${faultLine}${hintLine}</div>`
}

/** A field for several lines of text. */
export const linesField = (
  { fault, hint, id, label, name, required = false, value }: FieldOptions & {
    readonly value: string
    readonly required?: boolean
  }
): Html => {
  const own = id ?? name
  const { faultLine, hintLine, ids } = describe({ fault, hint, id: own })
  return html`<div class="field"><label for="${own}">${label}</label><textarea${
    attributes({ id: own, name, required })
  }${ids}>${value}</textarea>${faultLine}${hintLine}</div>`
}

/** A field for a time zone, which suggests all zones that the server knows. */
export const zoneField = (value: string, fault: string | undefined): Html => {
  const { faultLine, hintLine, ids } = describe({
    fault,
    hint: "Such as Europe/Berlin, or Berlin. Daylight saving time is respected.",
    id: "timeZone"
  })
  return html`<div class="field"><label for="timeZone">Time zone</label><input id="timeZone" name="timeZone" list="zones" autocomplete="off" maxlength="${maxTimeZoneLength}" value="${value}"${ids}>${faultLine}${hintLine}<datalist id="zones">${
    Intl.supportedValuesOf("timeZone").map((zone) => html`<option value="${zone}">`)
  }</datalist></div>`
}

interface ChoiceOptions extends FieldOptions {
  /** `radio` allows one choice, `checkbox` allows several. */
  readonly type: "radio" | "checkbox"
  readonly choices: ReadonlyArray<Choice>
  readonly chosen: ReadonlyArray<string>
}

/** A field for one or several of a few choices. */
export const choiceField = ({ choices, chosen, fault, hint, id, label, name, type }: ChoiceOptions): Html => {
  const { faultLine, hintLine, ids } = describe({ fault, hint, id: id ?? name })
  return html`<fieldset${ids}><legend>${label}</legend>${
    choices.map(([value, words]) =>
      html`<label><input type="${type}"${
        attributes({ name, value, checked: chosen.includes(value) })
      }> ${words}</label>`
    )
  }${faultLine}${hintLine}</fieldset>`
}

/** The note above a form that was refused. */
export const refusedNote = (faults: Faults): Fragment => {
  const count = Object.keys(faults).length
  return count > 0 &&
    html`<p class="note warn" role="alert">Nothing was saved: ${pluralized(count, "field")} ${
      count === 1 ? "needs" : "need"
    } correcting.</p>`
}

/**
 * A note above a form: somebody else has made a change since the form was opened. `now` is the current state, which
 * sending the form again replaces.
 */
export const changedNote = (now: Fragment): Html =>
  html`<p class="note warn" role="alert">Someone else changed this in the meantime, so your changes were not saved. It is now: ${now}. Your input is kept below; saving it replaces theirs.</p>`

/**
 * A note above a button: somebody else has made a change since the page was opened. `now` is the current state, which
 * the button then applies to.
 */
export const changedActNote = (now: Fragment): Html =>
  html`<p class="note warn" role="alert">Someone else changed this in the meantime, so nothing was done. It is now: ${now}.</p>`
