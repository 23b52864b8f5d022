import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"

/**
 * What a person types to start this command again: `npx sov` where npm started it, or where no directory of PATH has it
 * but those that npm put there for itself; else `sov`.
 */
export const commandName = (env: NodeJS.ProcessEnv = process.env): string =>
  env["npm_execpath"] === undefined &&
    (env["PATH"] ?? "").split(delimiter).some((dir) =>
      !dir.endsWith("node_modules/.bin") && existsSync(join(dir, "sov"))
    )
    ? "sov"
    : "npx sov"
