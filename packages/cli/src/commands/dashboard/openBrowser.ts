/** Opens a page in the operator's browser. */
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

type Env = Readonly<Record<string, string | undefined>>

/** How each system opens a file with the program that is meant for it. */
const openers: { readonly [platform: string]: readonly [command: string, ...ReadonlyArray<string>] } = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"]
}

/** The command that opens a file, null where nobody would see it: no display, or SOV_NO_BROWSER is set. */
export const findOpener = (env: Env, platform: NodeJS.Platform): readonly [string, ...ReadonlyArray<string>] | null => {
  if ((env["SOV_NO_BROWSER"] ?? "") !== "" || (env["SSH_CONNECTION"] ?? "") !== "") return null
  const own = openers[platform]
  if (own !== undefined) return own
  const display = [env["DISPLAY"], env["WAYLAND_DISPLAY"]].some((name) => name !== undefined && name !== "")
  return display ? ["xdg-open"] : null
}

/**
 * A page that leads to `url`, for a link with a secret: every account of a machine sees the arguments of all programs.
 */
const redirectPage = (url: string): string =>
  `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">` +
  `<meta http-equiv="refresh" content="0;url=${url}"><title>sov</title>\n`

/** How long the browser has to read the page before it is removed. */
const readingTime = "5 seconds"

/** Starts the command; false where there is no such command, or it fails at once. */
const startOpener = (command: string, args: ReadonlyArray<string>): Effect.Effect<boolean> =>
  Effect.callback<boolean>((resume) => {
    const child = spawn(command, args, { detached: true, stdio: "ignore" })
    child.once("error", () => resume(Effect.succeed(false)))
    child.once("exit", (code) => resume(Effect.succeed(code === 0)))
    child.unref()
    setTimeout(() => resume(Effect.succeed(true)), 3_000).unref()
  })

/**
 * Opens the page in a browser where there is one, and says whether it did. The address comes to the browser in a file
 * that only its owner can read, and that is removed five seconds later. `url` is an address without quotes.
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
