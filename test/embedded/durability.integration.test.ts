import * as fs from "node:fs"
import * as path from "node:path"
import { expect, inject, test } from "vitest"
import { POSTGRES_MAJOR } from "../../packages/core/src/adapters/embedded/dataDirectory.ts"
import { openPglite } from "../../packages/core/src/adapters/embedded/openPglite.ts"
import { freshDataDir } from "./support/directories.ts"

const open = async (dataDir: string, onSync: () => void = () => {}) => {
  fs.mkdirSync(dataDir, { recursive: true })
  const failures: Array<Error> = []
  const database = await openPglite({ dataDir, onFatal: (error) => failures.push(error), onSync })
  return { ...database, failures }
}

test("every commit reaches the disk with its own fsync, and reads cause no fsync", async () => {
  let syncs = 0
  const { close, engine } = await open(freshDataDir(), () => syncs++)
  const during = async (work: () => Promise<unknown>) => {
    const before = syncs
    await work()
    return syncs - before
  }
  await engine.exec("create table t (i int)")
  const commits = await during(async () => {
    for (let i = 0; i < 20; i++) await engine.query("insert into t values ($1)", [i])
  })
  expect(commits).toBeGreaterThanOrEqual(20)
  expect(await during(() => engine.query("select * from t"))).toBe(0)
  expect(await during(() => engine.exec("checkpoint"))).toBeGreaterThan(2)
  const setting = async (name: string) => Object.values((await engine.query<object>(`show ${name}`)).rows[0] ?? {})[0]
  expect(await setting("fsync")).toBe("on")
  expect(await setting("wal_sync_method")).toBe("fsync")
  expect(await setting("full_page_writes")).toBe("on")
  expect(await setting("synchronous_commit")).toBe("on")
  expect(await setting("TimeZone")).toBe("UTC")
  expect(String(await setting("server_version")).split(".")[0]).toBe(POSTGRES_MAJOR)
  await close()
})

test.runIf(inject("testAll"))("a recovery and a clean start are also synced to disk", async () => {
  const dataDir = freshDataDir()
  const first = await open(dataDir)
  await first.close()
  let syncs = 0
  const second = await open(dataDir, () => syncs++)
  expect(syncs).toBeGreaterThan(0)
  await second.close()
})

test(
  "a commit whose fsync fails is never acknowledged, the engine stops, and the next start has the other rows",
  async () => {
    const dataDir = freshDataDir()
    let broken = false
    const { close, engine, failures } = await open(dataDir, () => {
      if (broken) throw new Error("the disk is gone")
    })
    await engine.exec("create table t (i int primary key)")
    await engine.exec("insert into t values (1)")
    broken = true
    await expect(engine.exec("insert into t values (2)")).rejects.toThrow(/PANIC/)
    expect(failures).toHaveLength(1)
    await expect(engine.exec("insert into t values (3)")).rejects.toThrow()
    await close()
    broken = false
    const next = await open(dataDir)
    const { rows } = await next.engine.query<{ i: number }>("select i from t order by i")
    expect(rows[0]).toEqual({ i: 1 })
    expect(rows).not.toContainEqual({ i: 3 })
    await next.engine.exec("insert into t values (4)")
    await next.close()
  }
)

test.runIf(inject("testAll"))("files of the database can be read only by their user", async () => {
  const dataDir = freshDataDir()
  const { close } = await open(dataDir)
  for (const name of ["db", "db/PG_VERSION", "db/base", "db/global/pg_control"]) {
    expect([name, fs.statSync(path.join(dataDir, name)).mode & 0o077]).toEqual([name, 0])
  }
  await close()
})
