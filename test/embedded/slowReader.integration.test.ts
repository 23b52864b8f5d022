/** A client on the owner's socket that asks for much and reads nothing. */
// Only in `npm run test:all`: three gigabytes that nobody reads
import * as fs from "node:fs"
import * as net from "node:net"
import * as path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { OwnerClient } from "../../packages/core/src/adapters/embedded/OwnerClient.ts"
import { writeOwnerSettings } from "../../packages/core/src/adapters/embedded/ownerSettings.ts"
import { freshDataDir, ownersOf } from "./support/directories.ts"
import { query, RawClient, startup } from "./support/RawClient.ts"

const megabytes = (pid: number): number => {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
  return Number(kilobytes) / 1024
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

test.runIf(process.platform === "linux")("the owner's memory stays bounded, and the others go on", async () => {
  const dataDir = freshDataDir()
  fs.mkdirSync(dataDir)
  writeOwnerSettings(dataDir, { ownerLingerMs: 100 })
  const owner = new OwnerClient(dataDir, 20_000)
  const other = await RawClient.open(await owner.attach())
  onTestFinished(() => owner.close())
  const times = async (): Promise<number> => {
    const taken: Array<number> = []
    for (let i = 0; i < 20; i++) {
      const begun = performance.now()
      expect(await other.ask(`select ${i}`)).toContain("SELECT 1")
      taken.push(performance.now() - begun)
    }
    return median(taken)
  }
  const before = megabytes(ownersOf(dataDir)[0] ?? 0)
  const calm = await times()

  const slow = net.connect(path.join(dataDir, "s"))
  onTestFinished(() => void slow.destroy())
  await new Promise((resolve) => slow.once("data", resolve))
  slow.pause()
  slow.on("error", () => {})
  // 200 answers of 16 MB
  slow.write(Buffer.concat([
    startup(),
    ...Array.from({ length: 200 }, () => query("select repeat('x', 10000) from generate_series(1, 1600)"))
  ]))
  let most = 0
  const end = performance.now() + 2_000
  while (performance.now() < end) {
    await other.ask("select 1")
    most = Math.max(most, megabytes(ownersOf(dataDir)[0] ?? 0))
  }
  const beside = await times()
  console.log(
    `RSS ${before.toFixed(0)} MB, at most ${most.toFixed(0)} MB beside a client that does not read 3.2 GB; ` +
      `a statement of another takes ${(beside / calm).toFixed(2)} × as long`
  )
  // The engine's own code is compiled again while it works: up to 450 MB for some seconds
  expect(most - before).toBeLessThan(800)
  other.wire.destroy()
}, 60_000)
