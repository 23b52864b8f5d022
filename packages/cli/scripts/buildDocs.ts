/**
 * Writes all generated files: docs/cli.md and docs/sov.1 from the command tree, docs/openapi.json and docs/sov.http
 * from the API's contract, docs/glossary.md from the glossary, docs/webhooks/*.json from the events, the types of the
 * `fetch` client from the contract, and the webhook receivers of the dashboard from docs/webhooks.md. Run it with `npm
 * run docs`. With `--check` it writes nothing and fails if a file differs. `--to DIR` writes to another folder than
 * docs.
 */
import { makeOpenApiDocument } from "@sov/http/contract"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { makeProgram } from "../src/tree.ts"
import { version } from "../src/version.ts"
import { renderClientTypes, renderOperatorTypes, renderTrustTypes } from "./clientTypes.ts"
import { eventSchemas } from "./eventSchemas.ts"
import { renderGlossary } from "./glossaryPage.ts"
import { renderHttpCollection } from "./httpCollection.ts"
import { renderManPage } from "./manPage.ts"
import { renderMarkdown } from "./markdown.ts"
import { renderReceivers } from "./receivers.ts"

const { values } = parseArgs({ options: { check: { type: "boolean" }, to: { type: "string" } } })
const folder = values.to ?? fileURLToPath(new URL("../../../docs", import.meta.url))

const program = await makeProgram()
const document = makeOpenApiDocument(version())
const pages = {
  "cli.md": renderMarkdown(program),
  "sov.1": renderManPage(program),
  "openapi.json": `${JSON.stringify(document, null, 2)}\n`,
  "sov.http": renderHttpCollection(document),
  "glossary.md": renderGlossary(),
  ...eventSchemas
}

/** Generated files outside of the docs folder */
const modules = values.to !== undefined ? {} : {
  "../packages/http/src/client/operatorShapes.ts": renderOperatorTypes(document),
  "../packages/http/src/client/shapes.ts": renderClientTypes(document),
  "../packages/http/src/client/trustShapes.ts": renderTrustTypes(document),
  "../packages/http/src/dashboard/pages/receivers.ts": renderReceivers(
    readFileSync(join(folder, "webhooks.md"), "utf8")
  )
}

const readWritten = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return undefined
  }
}

for (const [name, text] of Object.entries({ ...pages, ...modules })) {
  const file = join(folder, name)
  if (values.check !== true) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  } else if (readWritten(file) !== text) {
    process.stderr.write(`${file} is not what the sources say: run npm run docs\n`)
    process.exitCode = 1
  }
}
