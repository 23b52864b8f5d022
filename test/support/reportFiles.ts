/** Report files of test/fixtures/reports, and changes of them by a forger. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"

/** The report that was made with a page version. */
export const readReportFile = (page: number) =>
  readFileSync(new URL(`../fixtures/reports/page-${page}.html`, import.meta.url), "utf8")

/** The file, said to be of a page version, with a valid check of its header. */
export const restatePage = (text: string, page: number) => {
  const restated = text.replace(/"page":\d+/, `"page":${page}`)
  const header = restated.split("\n").find((line) => line.startsWith("{\"report\""))!
  const check = createHash("sha256").update(header).digest("hex").slice(0, 8)
  return restated.replace(/(\{"checks":\[")[0-9a-f]{8}/, `$1${check}`)
}
