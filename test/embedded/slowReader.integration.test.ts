/** A client on the owner's socket that asks for much and reads nothing. */
// Only in `npm run test:all`: three gigabytes that nobody reads
import * as fs from "node:fs"
import * as net from "node:net"
import * as path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { OwnerClient } from "../../packages/core/src/adapters/embedded/OwnerClient.ts"
import { writeOwnerSettings } from "../../packages/core/src/adapters/embedded/ownerSettings.ts"
import { until } from "../support/sov.ts"
import { freshDataDir, ownersOf } from "./support/directories.ts"
import { query, RawClient, startup } from "./support/RawClient.ts"

const megabytes = (pid: number): number => {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
  return Number(kilobytes) / 1024
}

test.runIf(process.platform === "linux")(
  "the owner's memory stays bounded, and the other clients are not delayed",
  async () => {
    const dataDir = freshDataDir()
    fs.mkdirSync(dataDir)
    writeOwnerSettings(dataDir, { ownerLingerMs: 100 })
    const owner = new OwnerClient(dataDir, 20_000)
    const other = await RawClient.open(await owner.connectToOwner())
    onTestFinished(() => owner.close())
    // Counts the statements of the other client that were carried out, outside of its transaction
    await other.ask("create sequence carried_out")
    const carriedOut = async () => {
      const rows = await other.ask("select case when is_called then last_value else 0 end as n from carried_out")
      return Number(/D:\D*(\d+)/.exec(rows)?.[1])
    }
    const before = megabytes(ownersOf(dataDir)[0] ?? 0)

    const slow = net.connect(path.join(dataDir, "s"))
    onTestFinished(() => void slow.destroy())
    await new Promise((resolve) => slow.once("data", resolve))
    slow.pause()
    slow.on("error", () => {})
    // 200 answers of 16 MB
    const large =
      "select repeat('x', 10000), case when n = 1 then nextval('carried_out') end from generate_series(1, 1600) n"
    slow.write(Buffer.concat([startup(), ...Array.from({ length: 200 }, () => query(large))]))
    await until(async () => await carriedOut() > 0, 60_000, "the first of them")
    // They take turns: without a bound each of these would let one more of them through
    for (let i = 0; i < 400; i++) expect(await other.ask(`select ${i}`)).toContain("SELECT 1")
    const made = await carriedOut()
    const after = megabytes(ownersOf(dataDir)[0] ?? 0)
    console.log(
      `${made} of 200 answers were made for a client that reads none; RSS ${before.toFixed(0)} MB before, ` +
        `${after.toFixed(0)} MB after`
    )
    expect(made).toBeLessThan(10)
    other.wire.destroy()
  }
)
