/** What can be wrong with a data directory, as the person at the terminal meets it: one line, and nothing is lost. */
// Only in `npm run test:all`: a new database for each thing that can be wrong with a directory
import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { homes } from "../support/homes.ts"
import { launcher, type Ran, sov, sovJson, until, workspace } from "../support/sov.ts"

const isRoot = process.getuid?.() === 0
const nobody = 65_534

/** A closed database with one keyword, and settings that let its owner go at once. */
let template = ""

const gone = (dataDir: string) =>
  until(
    () =>
      !execFileSync("ps", ["-eo", "stat=,args="], { encoding: "utf8" }).split("\n")
        .some((line) => !line.startsWith("Z") && line.includes("owner.ts") && line.includes(dataDir)),
    10_000,
    "the owner has ended"
  )

const settings = (dataDir: string, more: object = {}) => {
  fs.mkdirSync(dataDir, { recursive: true })
  fs.writeFileSync(join(dataDir, "settings.json"), JSON.stringify({ ownerLingerMs: 20, ...more }))
}

const initArgs = ["init", "--brand", "Acme", "--keyword", "kept?", "--no-input"]

/** A working directory with a copy of the closed database. */
const copy = (): { readonly cwd: string; readonly dataDir: string; readonly db: string } => {
  const cwd = workspace()
  const dataDir = join(cwd, ".sov")
  fs.cpSync(template, dataDir, { recursive: true })
  return { cwd, dataDir, db: join(dataDir, "db") }
}

const keywords = async (cwd: string): Promise<ReadonlyArray<string>> =>
  (await sovJson<ReadonlyArray<{ readonly text: string }>>(cwd, ["keyword", "list"])).map(({ text }) => text)

/** One line of error, at most one that says what to do; no stack, no second message. */
const expectOneLine = (ran: Ran, code: number, message: RegExp) => {
  const lines = ran.stderr.trimEnd().split("\n")
  expect([ran.code, lines.filter((line) => line.startsWith("error: ")).length]).toEqual([code, 1])
  expect(lines.filter((line) => !/^(?:error|hint): |^Making the database/.test(line))).toEqual([])
  expect(lines.join("\n")).toMatch(message)
}

describe.runIf(homes.includes("embedded"))("a data directory", () => {
  beforeAll(async () => {
    const home = fs.mkdtempSync("/tmp/sov-template-")
    template = join(home, ".sov")
    settings(template)
    await sovJson(home, initArgs)
    await gone(template)
    return () => fs.rmSync(home, { recursive: true, force: true })
  })

  it("a complete copy of a directory from another machine works", async () => {
    const { cwd, dataDir } = copy()
    const foreign = { pid: process.pid, kind: "owner", since: "2020-01-01T00:00:00.000Z" }
    fs.writeFileSync(join(dataDir, "owner.json"), JSON.stringify(foreign))
    fs.writeFileSync(join(dataDir, "s"), "") // sockets do not travel: tar leaves them out, others make a file of them
    fs.writeFileSync(join(dataDir, "owner.log"), "of the other machine\n")
    fs.mkdirSync(join(dataDir, "db.tmp"))
    expect(await keywords(cwd)).toEqual(["kept?"])
    expect(await sov(cwd, ["keyword", "add", "new?"])).toMatchObject({ code: 0, stderr: "" })
  })

  it.each<[string, (db: string) => void, RegExp]>([
    [
      "a cut control file",
      (db) => fs.truncateSync(join(db, "global", "pg_control"), 100),
      /damaged.*pg_control.*backup/
    ],
    ["a missing directory", (db) => fs.rmSync(join(db, "base", "5"), { recursive: true }), /damaged.*base\/5.*backup/],
    ["a log of garbage", (db) => {
      const [segment = ""] = fs.readdirSync(join(db, "pg_wal")).filter((name) => /^[0-9A-F]{24}$/.test(name))
      fs.writeFileSync(join(db, "pg_wal", segment), Buffer.alloc(16 * 1024 * 1024, 0xab))
    }, /damaged.*checkpoint record.*backup/],
    ["a PG_VERSION of nothing", (db) => fs.writeFileSync(join(db, "PG_VERSION"), "\0\n"), /damaged.*PG_VERSION/]
  ])(
    "a directory with %s is reported as damaged, and works again once it is restored",
    async (_name, damage, message) => {
      const { cwd, dataDir, db } = copy()
      const backup = join(cwd, "backup")
      fs.cpSync(db, backup, { recursive: true })
      damage(db)
      expectOneLine(await sov(cwd, ["keyword", "list"]), 1, message)
      await gone(dataDir)
      fs.rmSync(db, { recursive: true })
      fs.renameSync(backup, db)
      expect(await keywords(cwd)).toEqual(["kept?"])
    }
  )

  it("a directory of another Postgres version stays unchanged", async () => {
    const { cwd, dataDir, db } = copy()
    fs.writeFileSync(join(db, "PG_VERSION"), "17\n")
    expectOneLine(await sov(cwd, ["keyword", "list"]), 8, /Postgres 17.*Postgres 18.*export/)
    await gone(dataDir)
    fs.writeFileSync(join(db, "PG_VERSION"), "18\n")
    expect(await keywords(cwd)).toEqual(["kept?"])
  })

  it("a directory with foreign files in place of the database stays unchanged", async () => {
    const cwd = workspace()
    settings(join(cwd, ".sov"))
    fs.mkdirSync(join(cwd, ".sov", "db"))
    fs.writeFileSync(join(cwd, ".sov", "db", "holiday.jpg"), "")
    expectOneLine(await sov(cwd, initArgs), 2, /holiday\.jpg.*move them away/)
    expect(fs.readdirSync(join(cwd, ".sov", "db"))).toEqual(["holiday.jpg"])
  })

  it("a directory that others may write to is refused until it is made private", async () => {
    const { cwd, dataDir } = copy()
    for (const mode of [0o770, 0o707, 0o722]) {
      fs.chmodSync(dataDir, mode)
      const said = new RegExp(`writable by other users \\(mode ${mode.toString(8)}\\).*chmod 700 .*--data-dir`)
      expectOneLine(await sov(cwd, ["keyword", "list"]), 2, said)
    }
    fs.chmodSync(dataDir, 0o750)
    expect(await keywords(cwd)).toEqual(["kept?"])
  })

  it.runIf(isRoot)("a directory of another user is refused, both for root and for a user without privileges", () => {
    const { cwd, dataDir } = copy()
    const owner = 65_533
    execFileSync("chown", ["-R", String(owner), cwd])
    fs.chmodSync(cwd, 0o755)
    fs.chmodSync(dataDir, 0o755)
    fs.writeFileSync(join(dataDir, "sov.config.json"), "not read")
    const list = (...as: ReadonlyArray<string>) => {
      const [program, ...args] = [...as, launcher, "keyword", "list"]
      const { status, stderr, stdout } = spawnSync(program, args, {
        cwd,
        encoding: "utf8",
        env: { PATH: process.env["PATH"] }
      })
      expect(stdout).toBe("")
      return [status, stderr]
    }
    const said = /^error: .*\.sov belongs to another user; .*user 65533; run sov as that user, .*chown -R 0.*\n$/
    expect(list()).toEqual([2, expect.stringMatching(said)])
    expect(list("setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups")).toEqual([
      2,
      expect.stringMatching(/^error: .*\.sov cannot be read and written .*user 65533.*\n$/)
    ])
    fs.chmodSync(dataDir, 0o777)
    expect(list("setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups")).toEqual([
      2,
      expect.stringMatching(/^error: .*\.sov belongs to another user.*chown -R 65534.*\n$/)
    ])
    expect(fs.readdirSync(dataDir)).not.toContain("s")
  })

  it.runIf(isRoot)("a directory that is not writable is refused, and works again once it is writable", async () => {
    const { cwd, dataDir } = copy()
    execFileSync("chown", ["-R", String(nobody), cwd])
    const list = () =>
      spawnSync(launcher, ["keyword", "list"], {
        cwd,
        uid: nobody,
        encoding: "utf8",
        env: { PATH: process.env["PATH"] }
      })
    for (const mode of [0o555, 0o000]) {
      fs.chmodSync(dataDir, mode)
      const ran = list()
      expect([ran.status, ran.stdout]).toEqual([2, ""])
      expect(ran.stderr).toMatch(/^error: .*\.sov cannot be .*--data-dir.*\n$/)
    }
    fs.chmodSync(dataDir, 0o700)
    expect(list()).toMatchObject({ status: 0, stdout: expect.stringContaining("kept?") })
    await gone(dataDir)
  })

  it.runIf(isRoot)("a full disk is reported, reads still work, and nothing is lost", async () => {
    const { cwd, dataDir } = copy()
    const mount = (size: string, ...options: ReadonlyArray<string>) =>
      execFileSync("/bin/mount", [
        "-t",
        "tmpfs",
        "-o",
        ["mode=700", `size=${size}`, ...options].join(),
        "none",
        dataDir
      ])
    const closed = join(cwd, "closed")
    fs.renameSync(dataDir, closed)
    fs.mkdirSync(dataDir)
    mount("20m")
    onTestFinished(async () => {
      await gone(dataDir)
      execFileSync("/bin/umount", ["--lazy", dataDir]) // an ended owner may still be leaving
    })
    settings(dataDir)
    expectOneLine(await sov(cwd, initArgs), 1, /No space left.*MB left.*free some/)
    await gone(dataDir) // a refused owner stays a moment, so that all who wait read the reason
    mount("90m", "remount")
    await sovJson(cwd, initArgs)
    // All that is left, but for some pages
    const filler = join(dataDir, "filler")
    const { bavail, bsize } = fs.statfsSync(dataDir)
    fs.writeFileSync(filler, Buffer.alloc(bavail * bsize - 64 * 1024))
    let added = 0
    let failed: Ran | undefined
    while (failed === undefined && added < 30) {
      const texts = Array.from({ length: 200 }, (_, i) => `${"x".repeat(400)} ${added} ${i}`)
      const ran = await sov(cwd, ["keyword", "add", ...texts])
      if (ran.code === 0) added++
      else failed = ran
    }
    expectOneLine(failed!, 1, /[Nn]o space left.*\n?.*free some/)
    expect(await keywords(cwd)).toHaveLength(1 + 200 * added)
    fs.rmSync(filler)
    await sovJson(cwd, ["keyword", "add", "after?"])
    expect(await keywords(cwd)).toHaveLength(2 + 200 * added)
  })

  it("a transaction that a process leaves open is rolled back at its time limit, and other processes continue", async () => {
    const { cwd, dataDir } = copy()
    settings(dataDir, { idleInTransactionMs: 1_000, ownerLingerMs: 2_000 })
    expect(await keywords(cwd)).toEqual(["kept?"]) // the owner serves
    const holder = connect(join(dataDir, "s"))
    onTestFinished(() => void holder.destroy())
    let said = ""
    holder.setEncoding("latin1").on("data", (chunk: string) => said += chunk)
    await until(() => said.includes(" ready "), 5_000, "the greeting")
    const parameters = Buffer.from("user\0postgres\0database\0postgres\0\0")
    const head = Buffer.alloc(8)
    head.writeUInt32BE(8 + parameters.length, 0)
    head.writeUInt32BE(196_608, 4)
    holder.write(Buffer.concat([head, parameters]))
    const query = Buffer.from("begin; update keyword set text = 'ghost?'\0")
    const type = Buffer.from("Q\0\0\0\0")
    type.writeUInt32BE(4 + query.length, 1)
    holder.write(Buffer.concat([type, query]))
    await until(() => said.includes("UPDATE"), 5_000, "the update")
    expect(await sov(cwd, ["keyword", "add", "waited?"])).toMatchObject({ code: 0, stderr: "" })
    expect(await keywords(cwd)).toEqual(["kept?", "waited?"])
    expect(said).toContain("25P03")
  })
})
