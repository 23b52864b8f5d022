/**
 * A report that is said to be of an earlier page version is not compared character by character. It still has to show
 * that its answers are simulated, its method and its proof.
 */
import { checkReportFile, describePage } from "@sov/http/report"
import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { readReportFile, restatePage } from "../../support/reportFiles.ts"

const { version } = describePage()
const hidingStyle = "#method,.simulated{display:none}"
const hidingHash = createHash("sha256").update(hidingStyle).digest("base64")
const wrapMethod = (begin: string, end: string) => (text: string) =>
  text.replace(/<section class="panel" aria-labelledby="method">[^]*?<\/section>/, `${begin}$&${end}`)
const hidings: ReadonlyArray<readonly [name: string, hide: (text: string) => string, problem: string]> = [
  [
    "a second style that the policy allows",
    (text) =>
      text.replace("</style>", `$&\n<style>${hidingStyle}</style>`)
        .replace(/style-src 'sha256-[^']*'/, `$& 'sha256-${hidingHash}'`),
    "page head of the file"
  ],
  ["any style allowed", (text) => text.replace(/style-src '/, "style-src 'unsafe-inline' '"), "page head of the file"],
  ["no policy", (text) => text.replace(/<meta http-equiv[^>]*>\n/, ""), "page head of the file"],
  [
    "no note on simulated answers",
    (text) => text.replace(/<p class="simulated">.*\n/, ""),
    "page note on simulated answers"
  ],
  [
    "a hidden note on simulated answers",
    (text) => text.replace("<p class=\"simulated\">", "<p hidden class=\"simulated\">"),
    "page note on simulated answers"
  ],
  [
    "no method",
    (text) => text.replace(/<section class="panel" aria-labelledby="method">[^]*?<\/section>/, ""),
    "page method and proof"
  ],
  ["its method in a comment", wrapMethod("<!--", "-->"), "page method and proof"],
  ["its method in a hidden element", wrapMethod("<div class=\"hidden\">", "</div>"), "page method and proof"],
  ["its method in a template", wrapMethod("<template>", "</template>"), "page method and proof"],
  ["its method in a tag of capitals", wrapMethod("<DIV hidden>", "</DIV>"), "page method and proof"],
  ["its method in an attribute", wrapMethod("<div title='>", "'></div>"), "page method and proof"],
  ["its method in a tag closed out of order", wrapMethod("<div hidden></p>", "</div>"), "page method and proof"]
]

describe.each(hidings)("a report of an earlier page version with %s", (_, hide, problem) => {
  it.each([["made by it", readReportFile(version - 1)], [
    "made by this one",
    restatePage(readReportFile(version), version - 1)
  ]])(
    "the report, %s, is not valid",
    (__, text) => {
      expect(checkReportFile(text).problems).toEqual([])
      expect(hide(text)).not.toBe(text)
      expect(checkReportFile(hide(text)).problems.map(({ id, what }) => `${what} ${id}`)).toContain(problem)
    }
  )
})
