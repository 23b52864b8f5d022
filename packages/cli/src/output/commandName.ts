import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"

/** The commands of the tree, listed again because the tree imports every command. */
export const commandNames =
  ("demo init scan score measure rescore archive traffic sources actions annotate experiment compare report schedule " +
    "brand competitor keyword topic view platform card alert digest org plan quota key verify sign audit member share webhook " +
    "serve worker mcp dashboard status doctor config db completion help").split(" ")

/**
 * The words that start this command: the words that a wrapper such as `sov-admin` sets in `SOV_COMMAND`; `npx @sov/cli`
 * if npx fetched it, because the package `sov` is not ours; `npx sov` if npm started it, or if it is only in the PATH
 * folders that npm adds; otherwise `sov`. `own` is the URL of this module.
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

/** Matches a page of the manual, which packages do not contain. */
const page = /(?<![\w/.-])docs\/[a-z-]+\.md\b/g

/**
 * Rewrites a hint: each command starts with the words that work here, and each page of the manual becomes an address.
 * In a checkout, where the manual explains how to start sov, only a wrapper's name is inserted.
 */
export const nameCommands = (
  text: string,
  env: NodeJS.ProcessEnv = process.env,
  own: string = import.meta.url
): string => {
  const isPackage = own.includes("/node_modules/")
  const named = isPackage || env["SOV_COMMAND"] !== undefined
    ? text.replace(command, () => `${commandName(env, own)} `)
    : text
  return isPackage ? named.replace(page, "https://github.com/sov-tracker/sov/blob/main/$&") : named
}
