/**
 * Tests of the Postgres server that other tests use: it answers, runs without privileges, and leaves nothing behind.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import { createInterface } from "node:readline"
import { describe, expect, inject, it } from "vitest"
import { homes, postgresUrl } from "./homes.ts"
import { findServer, startPostgres } from "./TestPostgres.ts"

const query = (url: string) =>
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return yield* sql<{ version: number; lower: string; encoding: string; listens: string }>`
      select current_setting('server_version_num')::int as version, lower('ÄÖ') as lower,
             current_setting('server_encoding') as encoding, current_setting('listen_addresses') as listens`
  }).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url) })),
    Effect.runPromise
  )

const alive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const gone = async (pid: number) => {
  for (let i = 0; i < 100 && alive(pid); i++) await new Promise((resolve) => setTimeout(resolve, 100))
  return !alive(pid)
}

it("the tests run on at least one home", () => {
  expect(homes.length).toBeGreaterThan(0)
})

it("findServer finds nothing on a machine without a server", () => {
  expect(findServer(["/nonexistent", ""])).toBeUndefined()
})

describe.runIf(postgresUrl !== null)("the shared server", () => {
  it("the shared server answers a query", async () => {
    const [row] = await query(postgresUrl ?? "")
    expect(row?.version).toBeGreaterThanOrEqual(150_000)
    expect(row).toMatchObject({ lower: "äö", encoding: "UTF8" })
  })
})

// Other tests on a server rely on this as well
describe.runIf(inject("testAll") && findServer() !== undefined)("a private server", () => {
  const bin = findServer() ?? ""

  it("the server requires its password, runs without privileges, and is gone after stop", async () => {
    const server = await startPostgres(bin)
    try {
      expect((await query(server.url))[0]?.listens).toBe("127.0.0.1")
      await expect(query(server.url.replace(/:[0-9a-f]{32}@/, ":wrong@"))).rejects.toThrow()
      expect(fs.statSync(`${server.directory}/data/postmaster.pid`).uid).not.toBe(0)
    } finally {
      await server.stop()
    }
    expect(alive(server.pid)).toBe(false)
    expect(fs.existsSync(server.directory)).toBe(false)
  })

  it.runIf(fs.existsSync("/usr/bin/setpriv"))(
    "the server exits when the process that started it is killed",
    async () => {
      const code = `const { startPostgres } = await import(${JSON.stringify(import.meta.resolve("./TestPostgres.ts"))})
      const server = await startPostgres(${JSON.stringify(bin)})
      console.log(JSON.stringify(server))`
      const starter = spawn(process.execPath, ["--input-type=module", "-e", code], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      const [line] = await once(createInterface(starter.stdout), "line")
      const { directory, pid } = JSON.parse(line)
      starter.kill("SIGKILL")
      expect(await gone(pid)).toBe(true)
      fs.rmSync(directory, { recursive: true, force: true })
    }
  )
})
