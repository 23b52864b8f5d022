/** Clients that `npm ci` in test/devtools/mcp brings; the checkout's own does not. */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** A path below test/devtools/mcp. */
export const devtool = (path: string): string => fileURLToPath(new URL(`../devtools/mcp/${path}`, import.meta.url))

/** Whether they are there. */
export const hasDevtools = existsSync(devtool("node_modules"))

/** Runs one of them with Node until its end. */
export const runDevtool = (
  path: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [devtool(`node_modules/${path}`), ...args], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => stdout += chunk)
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => stderr += chunk)
    child.once("error", reject).once("close", (code) => resolve({ code, stdout, stderr }))
  })
