// Only in `npm run test:all`: a cluster by initdb
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as path from "node:path"
import { expect, test } from "vitest"
import {
  locateClusterDump,
  readClusterDump,
  readPgliteVersion,
  unpackClusterDump
} from "../../packages/core/src/adapters/embedded/clusterDump.ts"
import { openPglite } from "../../packages/core/src/adapters/embedded/openPglite.ts"
import { freshDataDir } from "./support/directories.ts"

const open = async (dataDir: string, dump?: () => Promise<Buffer | undefined>) => {
  fs.mkdirSync(dataDir, { recursive: true })
  const log: Array<string> = []
  const database = await openPglite({
    dataDir,
    onFatal: () => {},
    log: (line) => log.push(line),
    ...(dump === undefined ? {} : { dump })
  })
  return { ...database, initdb: log.some((line) => line.includes("initdb")) }
}

const works = async (dataDir: string, dump?: () => Promise<Buffer | undefined>): Promise<boolean> => {
  const database = await open(dataDir, dump)
  await database.engine.exec("create table t (i int); insert into t values (7)")
  await database.close()
  const again = await open(dataDir)
  expect((await again.engine.query("select i from t")).rows).toEqual([{ i: 7 }])
  await again.close()
  return database.initdb
}

test("the package contains the dump of exactly the pinned PGlite", () => {
  const manifest = createRequire(import.meta.url)("../../packages/core/package.json") as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  expect(manifest.dependencies["@electric-sql/pglite"]).toBe(readPgliteVersion())
  const assets = fs.readdirSync(new URL(".", locateClusterDump(readPgliteVersion()))).filter((name) =>
    name.endsWith(".br")
  )
  expect(assets).toEqual([`pglite-${readPgliteVersion()}.tar.br`])
})

test("the dump is a cluster without application tables", async () => {
  const database = await open(freshDataDir())
  expect(database.initdb).toBe(false)
  const { rows } = await database.engine.query("select 1 from pg_class where oid >= 16384")
  expect(rows).toEqual([])
  await database.close()
})

test("a first start unpacks the dump, or runs initdb if there is no dump", async () => {
  expect(await works(freshDataDir())).toBe(false)
  expect(await works(freshDataDir(), () => Promise.resolve(undefined))).toBe(true)
})

test("initdb replaces a dump that cannot be unpacked or opened", async () => {
  const dump = await readClusterDump()
  if (dump === undefined) throw new Error("no dump")
  expect(await works(freshDataDir(), () => Promise.resolve(dump.subarray(0, 1_000_000)))).toBe(true)
  const unreadable = Buffer.from(dump)
  const control = unreadable.indexOf("global/pg_control\0")
  unreadable.fill(0, control + 512, control + 8_704)
  expect(await works(freshDataDir(), () => Promise.resolve(unreadable))).toBe(true)
})

test("a dump cannot write outside its directory", () => {
  const tar = Buffer.alloc(1_536)
  tar.write("../escaped", 0)
  tar.write("00000000000", 124)
  const target = path.join(path.dirname(freshDataDir()), "db.tmp")
  expect(() => unpackClusterDump(tar, target)).toThrow(/malformed/)
  expect(fs.readdirSync(path.dirname(target))).toEqual(["db.tmp"])
})
