import type { ReportBranding } from "../reports/Branding.ts"
import type { MailContent } from "./Mail.ts"
import { escapeLine } from "./renderMail.ts"

/** Style of small print. */
const small = "margin:0;color:#666;font-size:13px"

/** Adds a line of small print at the end: `html` is safe markup. */
export const withLastLine = <M extends MailContent>(
  mail: M,
  { html, text }: Pick<MailContent, "html" | "text">
): M => ({
  ...mail,
  text: `${mail.text.trimEnd()}\n${text}\n`,
  html: mail.html.replace(/<\/body><\/html>\s*$/, () => `<p style="${small}">${html}</p>\n</body></html>\n`)
})

/** The e-mail under the name of an organization's own sender, and with its last line. The address stays the server's. */
export const withBranding = <M extends MailContent>(
  mail: M,
  { footer, sender }: Pick<ReportBranding, "footer" | "sender">
): M & { readonly sender?: string } => ({
  ...footer === null ? mail : withLastLine(mail, { text: footer, html: escapeLine(footer) }),
  ...sender === null ? {} : { sender }
})
