/** Formats of a webhook's body. This file has no imports, so that listing them does not load Effect. */
export const webhookFormats = ["json", "slack", "discord", "teams"] as const
