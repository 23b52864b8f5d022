/** E-mails, their recipients, and the weekly digest. */

export {
  type Digest,
  digestCron,
  type DigestSetting,
  factsOf,
  leadOf,
  renderDigest,
  weekOf,
  withUnsubscribeLink
} from "../domain/mail/digest.ts"
export * from "../domain/mail/EmailAddress.ts"
export * from "../domain/mail/Mail.ts"
export { isTokenOf, makeUnsubscribeToken, organizationOfToken } from "../domain/mail/unsubscribeToken.ts"
export { withBranding } from "../domain/mail/withBranding.ts"

export * from "../json/digest.ts"

export * from "../ports/DigestStore.ts"
export * from "../ports/Mailer.ts"
export * from "../ports/MailStore.ts"

export { makeDigestKind, runDigests } from "../usecases/mail/digestKind.ts"
export { awaitMail } from "../usecases/mail/mailWorker.ts"
export * from "../usecases/mail/readDigest.ts"
export * from "../usecases/mail/reads.ts"
export * from "../usecases/mail/sendTestMail.ts"
export * from "../usecases/mail/setDigest.ts"
export * from "../usecases/mail/setRecipients.ts"
export * from "../usecases/mail/unsubscribe.ts"
