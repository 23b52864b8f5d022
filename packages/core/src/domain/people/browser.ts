/**
 * A browser in words, from its User-Agent header: enough to recognise one's own, and nothing that tells people apart.
 */

const browsers: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"]
]

const systems: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\bWindows\b/, "Windows"],
  [/\bAndroid\b/, "Android"],
  [/\biP(?:hone|ad|od)\b/, "iOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"]
]

/** "Firefox on Linux"; "another browser" for one that is not known. */
export const describeBrowser = (userAgent: string): string => {
  const find = (list: typeof browsers) => list.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = find(systems)
  return `${find(browsers) ?? "another browser"}${system === undefined ? "" : ` on ${system}`}`
}
