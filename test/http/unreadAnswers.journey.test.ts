// Only in `npm run test:all`: it holds many connections to a server in a process of its own, whose memory it measures
/**
 * Connections that send requests ahead and never read: others still get responses, and the server's memory does not
 * grow.
 */
import { readFileSync, rmSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { expect, it, onTestFinished } from "vitest"
import { sovInit, startSov, until, workspace } from "../support/sov.ts"

/** With SOV_LONG_TESTS, as many as in the attack that revealed the problem. */
const [attackers, seconds] = process.env["SOV_LONG_TESTS"] === undefined ? [220, 3] : [450, 30]

/** A process and its descendants, because the launcher may start another Node. */
const family = (pid: number): ReadonlyArray<number> => [
  pid,
  ...readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number).flatMap(
    family
  )
]
const sumOf = (pid: number, measure: (pid: number) => number) => family(pid).reduce((sum, one) => sum + measure(one), 0)

/** Resident memory in MB. */
const residentMb = (pid: number) =>
  sumOf(pid, (one) => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${one}/status`, "utf8"))?.[1] ?? 0) / 1024)

/** CPU time used, in milliseconds. */
const cpuMs = (pid: number) =>
  sumOf(pid, (one) => {
    const fields = readFileSync(`/proc/${one}/stat`, "utf8").split(") ").at(-1)!.split(" ")
    return (Number(fields[11]) + Number(fields[12])) * 10
  })

/** Sends a request as another client; returns the milliseconds until the response. */
const askMs = (port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const begun = performance.now()
    const socket = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.2" })
    let text = ""
    socket.setTimeout(60_000, () => socket.destroy(new Error("no answer within a minute")))
    socket.on("error", reject).setEncoding("utf8").on("data", (chunk: string) => text += chunk)
    socket.on("close", () =>
      text.startsWith("HTTP/1.1 200") ? resolve(performance.now() - begun) : reject(new Error(text)))
    socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
  })

it.runIf(process.platform === "linux")(
  "unread responses do not delay other requests or use more memory",
  async () => {
    const cwd = workspace()
    await sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil?"])
    // Without platforms the server only handles reads
    rmSync(join(cwd, "sov.config.json"))
    const server = startSov(cwd, ["serve", "--port", "0", "--json", "--no-worker"])
    onTestFinished(() => void server.child.kill("SIGKILL"))
    let said = ""
    server.child.stdout!.on("data", (chunk: string) => said += chunk)
    await until(() => said.includes("\n") || server.child.exitCode !== null, 60_000, "the server says its address")
    expect(server.errors()).not.toContain("error")
    const { port: portText } = new URL((JSON.parse(said) as { readonly url: string }).url)
    const [port, pid] = [Number(portText), server.child.pid!]
    const request = "GET /docs HTTP/1.1\r\nHost: localhost\r\n\r\n"
    // Reads pages normally, until the heap has the size that these pages need in any case
    for (let n = 0; n < 60; n++) {
      await Promise.all(Array.from({ length: 20 }, async () => (await fetch(`http://127.0.0.1:${port}/docs`)).text()))
    }
    const before = residentMb(pid)

    const sockets: Array<Socket> = []
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
    for (let n = 0; n < attackers; n++) {
      sockets.push(connect(port, "127.0.0.1").on("error", () => {}).pause())
      sockets.at(-1)!.write(request.repeat(150))
    }
    let [slowest, dearest, most] = [0, 0, 0]
    const end = performance.now() + seconds * 1_000
    while (performance.now() < end) {
      const begun = cpuMs(pid)
      slowest = Math.max(slowest, await askMs(port))
      dearest = Math.max(dearest, cpuMs(pid) - begun)
      most = Math.max(most, residentMb(pid))
      await sleep(50)
    }
    console.log(
      `${attackers} × 150 unread: slowest other ${
        slowest.toFixed(0)
      } ms (${dearest} ms of the server's processor time), ` +
        `memory ${before.toFixed(0)} → ${most.toFixed(0)} MB`
    )
    // Other work on the machine lengthens both times, so they are only checked with the whole attack
    if (process.env["SOV_LONG_TESTS"] !== undefined) {
      expect(dearest).toBeLessThan(1_000)
      expect(slowest).toBeLessThan(2_000)
    }
    expect(most - before).toBeLessThan(100)
  }
)
