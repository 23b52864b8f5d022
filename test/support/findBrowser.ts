import { existsSync } from "node:fs"

export const missingBrowser = "no browser for tests of pages: install chromium-headless-shell, or set SOV_TEST_BROWSER"

/** Debian's headless package comes first, because it starts in a fraction of the time of the complete browser. */
const installed = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome"]

/**
 * The browser that tests start: `SOV_TEST_BROWSER`, or else a browser installed on this machine; null if there is no
 * browser.
 */
export const findBrowser = (named: string | undefined): string | null =>
  (named ? [named] : installed).find((path) => existsSync(path)) ?? null
