/** Pages of the documentation as tests read them. */
import { globSync, readFileSync } from "node:fs"

const root = new URL("../../", import.meta.url)

/** The text of a page; `path` from the root of the checkout. */
export const readPage = (path: string): string => readFileSync(new URL(path, root), "utf8")

/** Every page written by hand: all Markdown of the checkout but the generated reference. */
export const handWrittenPages: ReadonlyArray<string> = [
  ...globSync("*.md", { cwd: root }),
  ...globSync("docs/**/*.md", { cwd: root }),
  ...globSync("packages/*/*.md", { cwd: root })
].filter((path) => path !== "docs/cli.md").toSorted()

/** The code blocks of a language, in their order. */
export const codeBlocks = (page: string, language: string): ReadonlyArray<string> =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map((match) => match[1]!)

/** The lines of shell blocks, `a && b` as two of them, and what stands in backticks as `npx …` or `npm …`. */
export const shownCommands = (page: string): ReadonlyArray<string> => [
  ...codeBlocks(page, "sh").flatMap((block) => block.trim().split(/\n| && /)),
  ...[...page.matchAll(/`((?:npm|npx) [^`\n]+)`/g)].map((match) => match[1]!)
]

/** `npx sov a "b c"` as the arguments of the command: `["a", "b c"]`. */
export const commandArguments = (line: string): ReadonlyArray<string> =>
  [...line.replace(/^(?:npx )?sov /, "").matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!)
