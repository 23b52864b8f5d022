/** Checks the installation: Node and the launcher. */
import { Effect } from "effect"
import { accessSync, constants } from "node:fs"
import { fileURLToPath } from "node:url"
import { type Check, fail, type Finding, ok, warn } from "./Check.ts"

/** Checks the version and path of Node. */
export const diagnoseNode = (version: string, execPath: string): Finding => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const where = /\/node_modules\/node-linux-[^/]+\/bin\/node$/.test(execPath) ? "bundled" : execPath
  return major > 22 || (major === 22 && minor >= 19)
    ? ok(`Node ${version} (${where})`)
    : fail(`Node ${version} (${where}) is too old`, "install Node 22.19 or newer, or run `npm ci` in the checkout")
}

export const node: Check = {
  name: "node",
  run: () => Effect.sync(() => diagnoseNode(process.versions.node, process.execPath))
}

/** Checks the launcher in `file`. */
export const diagnoseLauncher = (file: string): Finding => {
  try {
    accessSync(file, constants.X_OK)
    return ok(file)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT"
      ? warn(`there is no launcher ${file}`, "install sov again (`npm ci` in a checkout)")
      : warn(`${file} cannot be executed`, `chmod +x ${file}`)
  }
}

export const launcher: Check = {
  name: "launcher",
  run: () => Effect.sync(() => diagnoseLauncher(fileURLToPath(new URL("../../../../bin/sov", import.meta.url))))
}
