/** `sov completion`: the scripts complete in the shells themselves, and nothing in the tree is code to them. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { completionScript } from "../../packages/cli/src/commands/completion/completion.ts"
import { makeProgram } from "../../packages/cli/src/tree.ts"
import { SovCommand, subcommands } from "../../packages/cli/src/tree/SovCommand.ts"
import { sov, workspace } from "../support/sov.ts"

const shells = ["bash", "zsh", "fish"] as const
type Shell = typeof shells[number]

/** Runs the script's own function on the words of a command line, the last of them under the cursor. */
const harness: { readonly [S in Shell]: (words: ReadonlyArray<string>) => string } = {
  bash: (words) =>
    `source ./script; COMP_WORDS=(${words.map(quote).join(" ")}); COMP_CWORD=${words.length - 1}
     _sov; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // The functions of zsh's completion system work only inside its line editor: here they print what they are given.
  zsh: (words) =>
    `compdef() { : }; compset() { cur=\${cur#*=} }; compadd() { shift; print -rl -- "$@" }
     _describe() { local one; for one in "\${(@P)2}"; do print -r -- "\${\${one//\\\\:/$'\\1'}%%:*}"; done }
     _files() { print -rl -- *(N) }
     source ./script; words=(${words.map(quote).join(" ")}); CURRENT=${words.length}; _sov`,
  fish: (words) =>
    `source ./script; complete -C '${
      words.map(fishWord).join(" ").replaceAll(/[\\']/g, "\\$&")
    }' | string replace -r '\\t.*' ''`
}
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const fishWord = (text: string): string => text.replaceAll(/[ '"\\$()*?;&|<>]/g, "\\$&")

const installed = (shell: Shell): boolean => spawnSync(shell, ["-c", "true"]).status === 0

const complete = (shell: Shell, cwd: string, words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { stderr, stdout } = spawnSync(shell, [...shell === "zsh" ? ["-f"] : [], "-c", harness[shell](words)], {
    cwd,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: cwd, LC_ALL: "C.UTF-8" },
    timeout: 120_000
  })
  expect(stderr).toBe("")
  // What begins with the word under the cursor is picked by zsh's own system, outside this harness.
  return stdout.split("\n").filter((line) => line !== "" && line.startsWith(shell === "zsh" ? words.at(-1)! : ""))
}

const program = await makeProgram()

const names = (...path: ReadonlyArray<string>) => subcommands(program.find(path)).map((one) => one.name())
const plans = ["free", "starter", "pro", "business", "enterprise"]
const platforms = ["a", "b", "c", "d", "e"].map((letter) => `assistant_${letter}`)

describe.each(shells)("%s", (shell) => {
  const at = () => {
    const cwd = workspace()
    writeFileSync(join(cwd, "script"), completionScript(program, shell))
    writeFileSync(join(cwd, "body.json"), "")
    mkdirSync(join(cwd, "folder"))
    return (...words: ReadonlyArray<string>) => complete(shell, cwd, ["sov", ...words]).toSorted()
  }

  it.runIf(installed(shell))("the completion offers commands, options and their values", () => {
    const tab = at()
    expect(tab("")).toEqual(names().toSorted())
    expect(tab("sc")).toEqual(["scan", "schedule", "score"])
    expect(tab("archive", "")).toEqual(names("archive").toSorted())
    expect(tab("scan", "l")).toEqual(["list"])
    expect(tab("scan", "list", "--l")).toEqual(["--limit"])
    expect(tab("scan", "ls", "--l")).toEqual(["--limit"])
    expect(tab("scan", "list", "--outp")).toEqual(["--output"])
    expect(tab("--output", "")).toEqual(["csv", "json", "ndjson", "table"])
    expect(tab("scan", "-o", "j")).toEqual(["json"])
    expect(tab("--color", "a")).toEqual(["always", "auto"])
    expect(tab("scan", "--platform", "")).toEqual(platforms)
    expect(tab("scan", "--platform", "assistant_a", "--platform", "assistant_e")).toEqual(["assistant_e"])
    expect(tab("plan", "set", "")).toEqual(plans.toSorted())
    expect(tab("plan", "set", "pro", "")).toEqual([])
    expect(tab("completion", "")).toEqual(["bash", "fish", "zsh"])
  })

  it.runIf(installed(shell))("the completion does not mistake a value for a command, or a command for a value", () => {
    const tab = at()
    expect(tab("--org", "scan", "key", "")).toEqual(names("key").toSorted())
    expect(tab("key", "create", "--name", "two words", "--nam")).toEqual(["--name"])
    expect(tab("--org", "")).toEqual([])
    expect(tab("keyword", "add", "scan", "")).toEqual([])
    expect(tab("help", "")).toEqual(names().toSorted())
    expect(tab("help", "scan", "l")).toEqual(["list"])
  })

  it.runIf(installed(shell))("the completion offers files for an argument that is a file", () => {
    const tab = at()
    expect(tab("verify", "body")).toEqual(["body.json"])
    expect(tab("init", "--from", "body")).toEqual(["body.json"])
    expect(tab("--data-dir", "fol").map((name) => name.replace(/\/$/, ""))).toEqual(["folder"])
  })

  it.runIf(installed(shell))("the completion never executes text of the command tree", () => {
    const cwd = workspace()
    const hostile = ["$(touch hit)", "`touch hit`", "';touch hit;'", "\\';touch hit;#", "\"$(touch hit)\"", "a b", "*"]
    const hostileTree = new SovCommand("sov")
    for (const [i, text] of hostile.entries()) {
      hostileTree.command(`c${i}`).description(text)
        .addOption(hostileTree.createOption(`--o${i} <x>`, text).choices([text]))
        .addArgument(hostileTree.createArgument("<y>", text).choices([text]))
    }
    hostileTree.addOption(hostileTree.createOption("--hostile <x>", hostile.join("\n")).choices(hostile))
    writeFileSync(join(cwd, "script"), completionScript(hostileTree, shell))
    expect(complete(shell, cwd, ["sov", ""])).toHaveLength(hostile.length)
    for (const i of hostile.keys()) {
      expect(complete(shell, cwd, ["sov", `c${i}`, ""])).toHaveLength(1)
      complete(shell, cwd, ["sov", `c${i}`, `--o${i}`, ""])
    }
    expect(complete(shell, cwd, ["sov", "--hostile", ""])).toHaveLength(hostile.length)
    for (const text of hostile) complete(shell, cwd, ["sov", text, ""])
    expect(existsSync(join(cwd, "hit"))).toBe(false)
  })
})

it.runIf(installed("bash"))("readline in bash splits --option=value into three words", () => {
  const cwd = workspace()
  writeFileSync(join(cwd, "script"), completionScript(program, "bash"))
  expect(complete("bash", cwd, ["sov", "--output", "=", "nd"])).toEqual(["ndjson"])
  expect(complete("bash", cwd, ["sov", "--output", "="])).toHaveLength(4)
})

it.runIf(installed("fish"))("fish treats --option=value as one word", () => {
  const cwd = workspace()
  writeFileSync(join(cwd, "script"), completionScript(program, "fish"))
  expect(complete("fish", cwd, ["sov", "--output=nd"])).toEqual(["--output=ndjson"])
})

it("the command prints the script, and lists the shells that it supports", async () => {
  const cwd = workspace()
  const { code, stdout } = await sov(cwd, ["completion", "bash"])
  expect({ code, same: stdout === completionScript(program, "bash") }).toEqual({ code: 0, same: true })
  const refused = await sov(cwd, ["completion", "tcsh"])
  expect(refused).toMatchObject({ code: 2, stdout: "" })
  expect(refused.stderr).toContain("bash, zsh, fish")
})
