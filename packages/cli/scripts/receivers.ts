/** Generates a module with the receivers of docs/webhooks.md, which the dashboard shows beside each webhook. */

/** The programs of the page, by the info string of their code fence. */
const titles: { readonly [fence: string]: readonly [id: string, title: string, place?: string] } = {
  "js node": ["node", "Node", "Needs the package @sov/core."],
  "js fetch": ["fetch", "Fetch handler", "For Next.js, Hono, Deno, Bun and workers; needs the package @sov/core."],
  python: ["python", "Python"],
  go: ["go", "Go"],
  php: ["php", "PHP"],
  ruby: ["ruby", "Ruby", "Needs the gem webrick."],
  bash: ["shell", "Shell", "Prints the digest of a body that was saved, to compare with X-Service-Signature."]
}

const findProgram = (page: string, fence: string): string => {
  const found = new RegExp(`^\`\`\`${fence}\\n(.*?)^\`\`\``, "ms").exec(page)?.[1]
  if (found === undefined) throw new Error(`docs/webhooks.md has no program for ${fence}`)
  return found.trimEnd()
}

/** The source of the module, from the text of docs/webhooks.md. */
export const renderReceivers = (page: string): string => {
  const entries = Object.entries(titles).map(([fence, [id, title, place]]) => {
    const lines = findProgram(page, fence).split("\n").map((line) => `      ${JSON.stringify(line)}`)
    const text = lines.length === 1 ? `text: ${lines[0]!.trim()}` : `text: [\n${lines.join(",\n")}\n    ].join("\\n")`
    const members = [
      `id: ${JSON.stringify(`verify-${id}`)}`,
      `title: ${JSON.stringify(title)}`,
      ...place === undefined ? [] : [`place: ${JSON.stringify(place)}`],
      text
    ]
    return `  {\n${members.map((member) => `    ${member}`).join(",\n")}\n  }`
  })
  return `/** Programs that verify webhooks. Written by \`npm run docs\` from docs/webhooks.md. */\nexport const receivers = [\n${
    entries.join(",\n")
  }\n]\n`
}
