/** What the body of a webhook can be. Without imports: what lists them need not load Effect. */
export const webhookFormats = ["json", "slack", "discord", "teams"] as const
