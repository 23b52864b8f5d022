import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"

/** The commands of the tree, listed again because the tree imports every command. */
export const commandNames =
  ("demo init scan score measure rescore archive traffic sources actions annotate report schedule brand competitor " +
    "keyword view platform card alert digest org plan quota key verify sign audit member share webhook serve worker mcp dashboard status " +
    "doctor config db completion help").split(" ")

/**
 * The words that start this command again: what a wrapper such as `sov-admin` says in `SOV_COMMAND`; `npx @sov/cli` if
 * npx fetched it, since the package `sov` is not ours; `npx sov` if npm started it, or if only npm's own directories of
 * PATH contain it; else `sov`. `own` is the URL of this module.
 */
export const commandName = (env: NodeJS.ProcessEnv = process.env, own: string = import.meta.url): string => {
  const wrapper = env["SOV_COMMAND"]
  if (wrapper !== undefined && /^[\w-]+$/.test(wrapper)) return wrapper
  if (own.includes("/_npx/")) return "npx @sov/cli"
  return env["npm_execpath"] === undefined &&
      (env["PATH"] ?? "").split(delimiter).some((dir) =>
        !dir.endsWith("node_modules/.bin") && existsSync(join(dir, "sov"))
      )
    ? "sov"
    : "npx sov"
}

const command = new RegExp(`(?<![\\w@./-]|npx )sov (?=(?:${commandNames.join("|")})\\b(?!-))`, "g")

/** A page of the manual, which packages lack. */
const page = /(?<![\w/.-])docs\/[a-z-]+\.md\b/g

/**
 * A hint in which each command starts with the words that work here, and each page of the manual is an address. It
 * stays unchanged in a checkout, whose manual says how to start sov.
 */
export const nameCommands = (
  text: string,
  env: NodeJS.ProcessEnv = process.env,
  own: string = import.meta.url
): string =>
  own.includes("/node_modules/")
    ? text.replace(command, () => `${commandName(env, own)} `)
      .replace(page, "https://github.com/sov-tracker/sov/blob/main/$&")
    : text
