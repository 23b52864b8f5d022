/** MCP clients that `npm ci` in test/devtools/mcp installs; `npm ci` of the checkout does not. */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** A path below test/devtools/mcp. */
export const devtool = (path: string): string => fileURLToPath(new URL(`../devtools/mcp/${path}`, import.meta.url))

/** Whether these clients are installed. */
export const hasDevtools = existsSync(devtool("node_modules"))

/** Runs a client with Node until it exits. */
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
