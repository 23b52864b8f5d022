/** How reports, shared reports and e-mails of an organization look: its settings, and its logo. */
import { makeFormId, runOnce } from "@sov/core/audit"
import { type BrandingText, maxLogoBytes, parseColor, readBranding, setBranding, setLogo } from "@sov/core/reports"
import { Effect, Stream } from "effect"
import { noSuchPage } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { sendFile } from "../guard/Reply.ts"
import {
  type BrandingContent,
  type BrandingField,
  brandingFields,
  brandingMark,
  brandingPage,
  typedBranding
} from "../pages/branding.ts"
import { readFormId, readTexts } from "./forms.ts"
import { redirectTo, replyWithPage } from "./replies.ts"
import { submitForm } from "./saveForm.ts"

const path = "/settings/branding"

const makePage = Effect.fnUntraced(function*(
  { frame, organization }: OrganizationRequest,
  given: Partial<Pick<BrandingContent, "typed" | "faults" | "changed" | "logoFault">> = {}
) {
  const branding = yield* readBranding(organization.id)
  return brandingPage(frame, {
    branding,
    typed: typedBranding(branding),
    faults: {},
    logoFault: null,
    changed: false,
    formId: yield* makeFormId,
    logoFormId: yield* makeFormId,
    ...given
  })
})

/** GET /o/{slug}/settings/branding */
export const showBranding = (request: OrganizationRequest) => replyWithPage(makePage(request))

/** POST /o/{slug}/settings/branding */
export const saveBranding = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { id } = request.organization
  const typed = readTexts(request, brandingFields)
  const textOf = (field: BrandingField) => typed[field] === "" ? null : typed[field]
  const colorOf = (field: "color" | "band") => typed[field] === "" ? null : parseColor(typed[field]) ?? typed[field]
  const branding: BrandingText = {
    title: textOf("title"),
    locale: textOf("locale"),
    color: colorOf("color"),
    band: colorOf("band"),
    sender: textOf("sender"),
    footer: textOf("footer")
  }
  return yield* submitForm(request, {
    read: Effect.map(readBranding(id), brandingMark),
    edit: setBranding(id, branding),
    to: path,
    done: () => "branding-set",
    changed: makePage(request, { typed, changed: true })
  }).pipe(
    Effect.catchTag(
      "Rejected",
      ({ field, message }) => replyWithPage(makePage(request, { typed, faults: { [field]: message } }), { status: 422 })
    )
  )
})

/** The first bytes of an upload: one more than a logo may have tells that there are too many. */
const readStart = (upload: OrganizationRequest["upload"]) =>
  upload.pipe(
    Stream.takeUntil((() => {
      let size = 0
      return (bytes: Uint8Array) => (size += bytes.length) > maxLogoBytes
    })()),
    Stream.runCollect,
    Effect.map((parts) => Buffer.concat([...parts]))
  )

/** POST /o/{slug}/settings/branding/logo: the same picture sent twice changes nothing the second time. */
export const saveLogo = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const bytes = yield* readStart(request.upload)
  const refuse = (logoFault: string) => replyWithPage(makePage(request, { logoFault }), { status: 422 })
  if (bytes.length === 0) return yield* refuse("no file was chosen, or it is empty")
  return yield* setLogo(request.organization.id, bytes).pipe(
    Effect.as(redirectTo(request, path, "branding-set")),
    Effect.catchTag("Rejected", ({ message }) => refuse(message))
  )
})

/** POST /o/{slug}/settings/branding/logo/remove */
export const removeLogo = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { id } = request.organization
  return yield* runOnce(id, yield* readFormId(request), setLogo(id, null)).pipe(
    Effect.as(redirectTo(request, path, "branding-set")),
    Effect.catchTag("DoneBefore", () => Effect.succeed(redirectTo(request, path, "sent-before"))),
    Effect.catchTag("Rejected", Effect.die)
  )
})

/** GET /o/{slug}/settings/branding/logo */
export const downloadLogo = Effect.fnUntraced(function*({ organization }: OrganizationRequest) {
  const { logo } = yield* readBranding(organization.id)
  return logo === null ? yield* noSuchPage : sendFile(`logo.${logo.type.slice(6)}`, logo.type, logo.bytes)
})
