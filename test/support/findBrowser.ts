import { existsSync } from "node:fs"

export const missingBrowser = "no browser for tests of pages: install chromium-headless-shell, or set SOV_TEST_BROWSER"

/** Debian's package first: it starts in a fraction of the time that the whole browser takes. */
const installed = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome"]

/** The browser that tests start: `SOV_TEST_BROWSER`, else one of this machine; null if absent. */
export const findBrowser = (named: string | undefined): string | null =>
  (named ? [named] : installed).find((path) => existsSync(path)) ?? null
