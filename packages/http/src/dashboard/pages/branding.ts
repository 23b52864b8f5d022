/** How reports, shared reports and e-mails of an organization look to their readers. */
import type { AuditEntryId } from "@sov/core/common"
import { maxNameLength } from "@sov/core/organizations"
import { type Branding, type BrandingText, maxBrandedLine, maxLogoBytes } from "@sov/core/reports"
import { type Html, html } from "../html.ts"
import { selectField } from "./fields.ts"
import { changedNote, type Faults, formIdField, refusedNote, seenField, textField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { localeChoices } from "./locales.ts"
import { inOrganization } from "./sections.ts"

export const brandingFields = ["title", "locale", "color", "band", "sender", "footer"] as const
export type BrandingField = typeof brandingFields[number]

/** Longer than any colour, with spaces around it. */
const maxColorLength = 20

/** The typed text of each field. */
export type TypedBranding = { readonly [field in BrandingField]: string }

export const typedBranding = (branding: BrandingText): TypedBranding => ({
  title: branding.title ?? "",
  locale: branding.locale ?? "",
  color: branding.color ?? "",
  band: branding.band ?? "",
  sender: branding.sender ?? "",
  footer: branding.footer ?? ""
})

/** The branding that the form changes, as text. */
export const brandingMark = (branding: BrandingText): string => JSON.stringify(typedBranding(branding))

export interface BrandingContent {
  readonly branding: Branding
  readonly typed: TypedBranding
  readonly faults: Faults<BrandingField>
  /** Why an uploaded logo was refused; null = none was. */
  readonly logoFault: string | null
  /** Whether somebody else has changed it since the form was opened. */
  readonly changed: boolean
  readonly formId: AuditEntryId
  readonly logoFormId: AuditEntryId
}

const textPanel = (
  { at, organization: { slug } }: Frame,
  { branding, changed, faults, formId, typed }: BrandingContent
): Html =>
  html`<section class="panel" aria-labelledby="look"><header><h2 id="look">Title, colours and sender</h2></header>${
    refusedNote(faults)
  }${changed && changedNote("as this page shows when you reload it")}<form class="fields" method="post" action="${
    inOrganization(slug, "/settings/branding")
  }">${formIdField(formId)}${seenField(brandingMark(branding))}${
    textField({
      name: "title",
      label: "Title of reports",
      value: typed.title,
      maxLength: maxNameLength,
      hint: "Default: share of voice of the brand",
      fault: faults.title
    })
  }${
    selectField({
      name: "locale",
      label: "Numbers and dates",
      all: "Not set: English; a downloaded report in its reader's language",
      choices: localeChoices(at),
      chosen: typed.locale === "" ? null : typed.locale
    })
  }${
    textField({
      name: "color",
      label: "Colour of lines and links",
      value: typed.color,
      maxLength: maxColorLength,
      hint: "Such as #8f6300. It needs a contrast of 4.5 : 1 on white.",
      fault: faults.color
    })
  }${
    textField({
      name: "band",
      label: "Colour behind the title",
      value: typed.band,
      maxLength: maxColorLength,
      hint: "Any colour: the title is black or white, whichever is easier to read.",
      fault: faults.band
    })
  }${
    textField({
      name: "sender",
      label: "Sender",
      value: typed.sender,
      maxLength: maxBrandedLine,
      hint: "E-mails come from this name, at the address of the server. Reports say who prepared them.",
      fault: faults.sender
    })
  }${
    textField({
      name: "footer",
      label: "Last line",
      value: typed.footer,
      maxLength: maxBrandedLine,
      hint: "In reports it replaces “Made by sov”; in e-mails it is added.",
      fault: faults.footer
    })
  }<div class="actions"><button class="primary">Save</button></div></form></section>`

const logoPanel = (
  { organization: { slug } }: Frame,
  { branding: { logo }, logoFault, logoFormId }: BrandingContent
): Html =>
  html`<section class="panel" aria-labelledby="logo-heading"><header><h2 id="logo-heading">Logo</h2></header>${
    logoFault !== null && html`<p class="note warn" role="alert">The logo was not saved: ${logoFault}.</p>`
  }${
    logo !== null &&
    html`<p><svg width="220" height="72" role="img" aria-label="The logo"><image width="220" height="72" preserveAspectRatio="xMinYMid" href="${
      inOrganization(slug, "/settings/branding/logo", { v: logo.sha256.slice(0, 8) })
    }"></image></svg></p><form method="post" action="${inOrganization(slug, "/settings/branding/logo/remove")}">${
      formIdField(logoFormId)
    }<button>Remove logo</button></form>`
  }<form class="fields" method="post" enctype="multipart/form-data" action="${
    inOrganization(slug, "/settings/branding/logo")
  }"><div class="field"><label for="logo">Picture</label><input type="file" id="logo" name="logo" accept="image/png,image/jpeg,image/webp" required aria-describedby="logo-hint"><small id="logo-hint">PNG, JPEG or WebP, up to ${
    String(maxLogoBytes / 1024)
  } KiB. SVG is not accepted, because it can contain programs.</small></div><div class="actions"><button>Upload logo</button></div></form></section>`

export const brandingPage = (frame: Frame, content: BrandingContent): Html => {
  const { slug } = frame.organization
  return layout(frame, {
    title: "Branding",
    here: "settings",
    summary: html`<a href="${
      inOrganization(slug, "/settings")
    }">Settings</a> · how reports, share links and e-mails look to their readers`,
    actions: html`<a class="button" href="${inOrganization(slug, "/report.html")}">Download a report</a>`,
    body: html`<div class="grid two">${textPanel(frame, content)}${
      logoPanel(frame, content)
    }</div><p class="small">The method, the proof, whose view the numbers show, all dates and the note on simulated answers always remain. A share link shows a change within a minute.</p>`
  })
}
