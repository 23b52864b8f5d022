import { describe, expect, it } from "vitest"
import { findOpener } from "../../packages/cli/src/commands/dashboard/openBrowser.ts"

describe("the program that opens a page", () => {
  it.each(
    [
      ["linux", { DISPLAY: ":0" }, ["xdg-open"]],
      ["linux", { WAYLAND_DISPLAY: "wayland-0" }, ["xdg-open"]],
      ["linux", {}, null],
      ["linux", { DISPLAY: "" }, null],
      ["darwin", {}, ["open"]],
      ["win32", {}, ["rundll32", "url.dll,FileProtocolHandler"]],
      ["darwin", { SOV_NO_BROWSER: "1" }, null],
      ["linux", { DISPLAY: ":10", SSH_CONNECTION: "192.0.2.1 1 192.0.2.2 22" }, null]
    ] as const
  )("the program on %s with the environment %j is %j", (platform, env, command) => {
    expect(findOpener(env, platform)).toEqual(command)
  })
})
