/** Opens a page in the operator's browser. */
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

type Env = Readonly<Record<string, string | undefined>>

/** The command with which each system opens a file in its default program. */
const openers: { readonly [platform: string]: readonly [command: string, ...ReadonlyArray<string>] } = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"]
}

/** The command that opens a file; null if nobody would see it: no display, an SSH session, or SOV_NO_BROWSER is set. */
export const findOpener = (env: Env, platform: NodeJS.Platform): readonly [string, ...ReadonlyArray<string>] | null => {
  if ((env["SOV_NO_BROWSER"] ?? "") !== "" || (env["SSH_CONNECTION"] ?? "") !== "") return null
  const own = openers[platform]
  if (own !== undefined) return own
  const display = [env["DISPLAY"], env["WAYLAND_DISPLAY"]].some((name) => name !== undefined && name !== "")
  return display ? ["xdg-open"] : null
}

/**
 * A page that redirects to `url`. It is used for links with a secret, because every account of a machine can see the
 * arguments of all programs.
 */
const redirectPage = (url: string): string =>
  `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">` +
  `<meta http-equiv="refresh" content="0;url=${url}"><title>sov</title>\n`

/** How long the page is kept for the browser to read. */
const readingTime = "5 seconds"

/** Starts the command; false if it does not exist or fails at once. */
const startOpener = (command: string, args: ReadonlyArray<string>): Effect.Effect<boolean> =>
  Effect.callback<boolean>((resume) => {
    const child = spawn(command, args, { detached: true, stdio: "ignore" })
    child.once("error", () => resume(Effect.succeed(false)))
    child.once("exit", (code) => resume(Effect.succeed(code === 0)))
    child.unref()
    setTimeout(() => resume(Effect.succeed(true)), 3_000).unref()
  })

/**
 * Opens the page in a browser, if there is one, and returns whether it did. The browser gets the address in a file that
 * only its owner can read and that is removed after five seconds. `url` must not contain quotes.
 */
export const openBrowser = (url: string): Effect.Effect<boolean> => {
  const opener = findOpener(process.env, process.platform)
  if (opener === null) return Effect.succeed(false)
  const [command, ...args] = opener
  return Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "sov-"))),
    (directory) =>
      Effect.gen(function*() {
        const file = join(directory, "open.html")
        writeFileSync(file, redirectPage(url), { mode: 0o600 })
        const opened = yield* startOpener(command, [...args, file])
        if (opened) yield* Effect.sleep(readingTime)
        return opened
      }),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
  )
}
