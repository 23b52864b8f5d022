import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { commandNames } from "../tree.ts"

/**
 * What a person types to start this command again: `npx @sov/cli` where npx fetched it, since the package `sov` is not
 * ours; `npx sov` where npm started it, or where no directory of PATH has it but those that npm put there for itself;
 * else `sov`. `own` = where this module lies.
 */
export const commandName = (env: NodeJS.ProcessEnv = process.env, own: string = import.meta.url): string => {
  if (own.includes("/_npx/")) return "npx @sov/cli"
  return env["npm_execpath"] === undefined &&
      (env["PATH"] ?? "").split(delimiter).some((dir) =>
        !dir.endsWith("node_modules/.bin") && existsSync(join(dir, "sov"))
      )
    ? "sov"
    : "npx sov"
}

const command = new RegExp(`(?<![\\w@./-]|npx )sov (?=(?:${commandNames.join("|")})\\b(?!-))`, "g")

/**
 * A hint with the commands in it as they can be typed where sov is installed as a package. In a checkout it stays as it
 * is: there the reader has a manual that says how sov is started.
 */
export const nameCommands = (
  text: string,
  env: NodeJS.ProcessEnv = process.env,
  own: string = import.meta.url
): string => own.includes("/node_modules/") ? text.replace(command, () => `${commandName(env, own)} `) : text
