/** Reads pages of the documentation for tests. */
import { globSync, readFileSync } from "node:fs"

const root = new URL("../../", import.meta.url)

/** The text of a page; `path` is relative to the root of the checkout. */
export const readPage = (path: string): string => readFileSync(new URL(path, root), "utf8")

/** All hand-written pages: the Markdown files of the checkout except the generated reference. */
export const handWrittenPages: ReadonlyArray<string> = [
  ...globSync("*.md", { cwd: root }),
  ...globSync("docs/**/*.md", { cwd: root }),
  ...globSync("packages/*/*.md", { cwd: root })
].filter((path) => path !== "docs/cli.md").toSorted()

/** The code blocks of a language, in order. */
export const codeBlocks = (page: string, language: string): ReadonlyArray<string> =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map((match) => match[1]!)

/**
 * The commands that a page shows: lines of shell blocks, with `a && b` as two commands, and `npx …` or `npm …` in
 * backticks.
 */
export const shownCommands = (page: string): ReadonlyArray<string> => [
  ...codeBlocks(page, "sh").flatMap((block) => block.trim().split(/\n| && /)),
  ...[...page.matchAll(/`((?:npm|npx) [^`\n]+)`/g)].map((match) => match[1]!)
]

/** The arguments of a shown command: `npx sov a "b c"` becomes `["a", "b c"]`. */
export const commandArguments = (line: string): ReadonlyArray<string> =>
  [...line.replace(/^(?:npx )?sov /, "").matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!)

/** An answer that the reader of README.md captured in an app, to the question that it tracks. */
export const capturedCsv = "platform,question,text,captured_at,captured_by,account\n" +
  "assistant_a,Which anvil should a farrier buy?,Take Acme.,2026-03-01T10:00:00Z,Mia,free\n"
