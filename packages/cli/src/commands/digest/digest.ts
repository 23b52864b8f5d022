/** sov digest: the weekly digest by e-mail. */
import {
  digestJson,
  type DigestSetting,
  readDigest,
  readDigestSetting,
  readRecipients,
  renderDigest,
  setDigest
} from "@sov/core/mail"
import type { Organization } from "@sov/core/organizations"
import { formatZonedTime } from "@sov/core/schedules"
import { Clock, Effect } from "effect"
import type { Output } from "../../output/Output.ts"
import { findMailFault, runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

/** Notes the reasons why digests are not sent, or why recipients cannot unsubscribe. */
const noteMail = (out: Output, recipients: number): void => {
  if (recipients === 0) out.note("No recipients yet: sov alert set --email ADDRESS")
  const fault = findMailFault(process.env)
  if (fault !== null) out.note(`No e-mail is sent: ${fault.message}`)
  else if ((process.env["SOV_SMTP_URL"] ?? "") === "") {
    out.note("No e-mail is sent: SOV_SMTP_URL and SOV_MAIL_FROM are not set.")
  } else if ((process.env["SOV_PUBLIC_URL"] ?? "") === "") {
    out.note("Digests have no unsubscribe link: SOV_PUBLIC_URL is not set.")
  }
}

const writeSetting = Effect.fnUntraced(
  function*(out: Output, { id, timeZone }: Organization, { enabled, nextAt }: DigestSetting) {
    const recipients = yield* readRecipients(id)
    const shown = recipients.map(({ address, digestOffAt, flagged }) => ({
      email: address,
      unsubscribed_at: digestOffAt?.toISOString() ?? null,
      flagged: flagged !== null
    }))
    out.result({ enabled, next_at: nextAt?.toISOString() ?? null, emails: shown }, () =>
      [
        enabled && nextAt !== null
          ? `Digests are on: the next one on ${formatZonedTime(nextAt, timeZone)}`
          : "Digests are off",
        ...shown.map(({ email, flagged, unsubscribed_at }) =>
          `  ${email}${
            unsubscribed_at !== null
              ? `  unsubscribed ${unsubscribed_at}`
              : flagged
              ? "  gets no e-mail (sov alert list)"
              : ""
          }`
        )
      ].join("\n"))
    if (enabled) noteMail(out, shown.length)
  }
)

export const show = (options: GlobalOptions) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    yield* writeSetting(out, organization, yield* readDigestSetting(organization.id))
  })

const setTo = (enabled: boolean) => (options: GlobalOptions) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    yield* writeSetting(out, organization, yield* setDigest(organization.id, enabled))
  })

export const on = setTo(true)
export const off = setTo(false)

export const preview = (options: GlobalOptions) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, { id }) {
    const digest = yield* readDigest(id, new Date(yield* Clock.currentTimeMillis))
    const { html, subject, text } = renderDigest(digest)
    out.result({ ...digestJson(digest), subject, text, html }, () => `Subject: ${subject}\n\n${text.trimEnd()}`)
  })
