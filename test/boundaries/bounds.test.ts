import { expect, it } from "vitest"
import { lint } from "./plantedTree.ts"

it("a limit that cli, http or mcp writes as a bare number is reported, and a named limit is not", () => {
  const findings = lint({
    "packages/http/src/tag.ts": `export const x = { limit: 200 }\n`,
    "packages/mcp/src/tag.ts": `import { Schema } from "effect"\nexport const x = Schema.isBetweenLength(1, 200)\n`,
    "packages/http/src/dashboard/pages/field.ts":
      `const html = String.raw\nexport const x = html\`<input maxlength="200">\`\n`,
    "packages/cli/src/commands/list.ts": `const most = 200\nexport const x = [{ limit: most }, { limit: 1 }]\n`
  })
  const found = findings.map(({ file, message, rule }) => `${rule} ${file}: ${message.split(" ")[0]}`)
  expect(new Set(found)).toEqual(
    new Set([
      "sov(bounds) packages/http/src/dashboard/pages/field.ts: maxlength",
      "sov(bounds) packages/http/src/tag.ts: limit",
      "sov(bounds) packages/mcp/src/tag.ts: isBetweenLength"
    ])
  )
})
