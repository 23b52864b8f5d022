/**
 * A real Postgres server for tests, started from the binaries on this machine: with its own data directory, a free port
 * on loopback and a random password, and never as root. It ends with `stop`, and with the process that started it.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import * as fs from "node:fs"
import * as net from "node:net"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

export interface TestPostgres {
  readonly url: string
  /** Process id of the server; changes after `restart`. */
  readonly pid: number
  readonly directory: string
  /**
   * Stops the server with a signal (SIGINT: fast; SIGQUIT: immediate, with recovery at the next start) and starts it
   * again.
   */
  readonly restart: (signal: "SIGINT" | "SIGQUIT", downMs: number) => Promise<void>
  /** Kills the server; a standby that has everything the server confirmed takes over its role and address. */
  readonly failover: (downMs: number) => Promise<void>
  /** Stops the server (fast shutdown, by its process id) and removes its data. */
  readonly stop: () => Promise<void>
}

const oldest = 15

const majorOf = (server: string): number => {
  try {
    return Number(/\(PostgreSQL\) (\d+)/.exec(execFileSync(server, ["--version"], { encoding: "utf8" }))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** The folder with `postgres` and `initdb` of the newest installed server; undefined if no server is installed. */
export const findServer = (
  folders: ReadonlyArray<string> = [
    ...(process.env["PATH"] ?? "").split(path.delimiter),
    ...fs.globSync("/usr/lib/postgresql/*/bin")
  ]
): string | undefined => {
  const servers = folders.flatMap((folder) => {
    const named = path.join(folder, "postgres")
    if (folder === "" || !fs.existsSync(named)) return []
    // PATH contains only a link to the server; its tools are next to the real file.
    const real = path.dirname(fs.realpathSync(named))
    const major = fs.existsSync(path.join(real, "initdb")) ? majorOf(path.join(real, "postgres")) : 0
    return major >= oldest ? [{ major, real }] : []
  })
  return servers.toSorted((a, b) => b.major - a.major)[0]?.real
}

/** Postgres refuses to run as root; this is the user to run as instead. */
const unprivileged = (): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const users = fs.readFileSync("/etc/passwd", "utf8").split("\n").map((line) => line.split(":"))
  const [, , uid, gid] = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody") ?? []
  if (uid === undefined || gid === undefined) throw new Error("Neither user postgres nor nobody to run Postgres as")
  return { uid: Number(uid), gid: Number(gid) }
}

const freePort = async (): Promise<number> => {
  const server = net.createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as net.AddressInfo
  server.close()
  await once(server, "close")
  return port
}

/** Prefix for a command so that the program ends with this process, even after `kill -9`, if the system supports it. */
const bound = (program: string): ReadonlyArray<string> =>
  fs.existsSync("/usr/bin/setpriv") ? ["/usr/bin/setpriv", "--pdeathsig", "INT", program] : [program]

/** Resolves when the server answers; rejects with the end of its log if it exits first or takes two minutes. */
const ready = (server: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let log = ""
    const late = setTimeout(() => {
      server.kill("SIGQUIT")
      reject(new Error(`Postgres was not ready within two minutes:\n${log}`))
    }, 120_000)
    server.once("error", reject)
    server.once("exit", (code) => {
      clearTimeout(late)
      reject(new Error(`Postgres ended with ${code}:\n${log}`))
    })
    server.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log = (log + text).slice(-4000)
      if (!/ready to accept (read-only )?connections/.test(log)) return
      clearTimeout(late)
      resolve()
    })
  })

const ended = (server: ChildProcess) => server.exitCode !== null || server.signalCode !== null

const end = async (server: ChildProcess) => {
  const exit = once(server, "exit")
  const harder = (["SIGINT", "SIGQUIT", "SIGKILL"] as const).map((signal, i) =>
    setTimeout(() => server.kill(signal), i * 10_000)
  )
  if (!ended(server)) await exit
  for (const timer of harder) clearTimeout(timer)
}

/**
 * Creates a database cluster with the server in this folder (see `findServer`) and starts it; `changed` settings
 * override those of tests.
 */
export const startPostgres = async (
  bin: string,
  changed: Readonly<Record<string, string>> = {}
): Promise<TestPostgres> => {
  const user = unprivileged()
  const directory = fs.mkdtempSync(path.join(fs.realpathSync(tmpdir()), "sov-postgres-"))
  const remove = () => fs.rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  const password = randomBytes(16).toString("hex")
  const options = { cwd: directory, env: { PATH: bin, TZ: "UTC" }, ...user }
  try {
    fs.writeFileSync(path.join(directory, "password"), `${password}\n`, { mode: 0o600 })
    if (user !== undefined) {
      for (const own of [directory, path.join(directory, "password")]) fs.chownSync(own, user.uid, user.gid)
    }
    let data = path.join(directory, "data")
    const locale = process.platform === "linux" ? "C.UTF-8" : "C"
    const cluster = [`--pgdata=${data}`, "--username=postgres", "--encoding=UTF8", `--locale=${locale}`, "--no-sync"]
    const access = ["--auth=scram-sha-256", `--pwfile=${path.join(directory, "password")}`]
    execFileSync(path.join(bin, "initdb"), [...cluster, ...access], { ...options, stdio: ["ignore", "ignore", "pipe"] })

    const port = await freePort()
    const settings = {
      listen_addresses: "127.0.0.1",
      port,
      unix_socket_directories: "",
      max_connections: 200,
      // The data are thrown away, so they need not survive a power failure.
      fsync: "off",
      full_page_writes: "off",
      ...changed
    }
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
    const [program = "", ...before] = bound(path.join(bin, "postgres"))
    const start = async (changes: ReadonlyArray<string> = []) => {
      const server = spawn(program, [...before, "-D", data, ...flags, ...changes], {
        ...options,
        stdio: ["ignore", "ignore", "pipe"]
      })
      await ready(server)
      return server
    }
    let server = await start()
    const run = (tool: string, args: ReadonlyArray<string>, at = port) =>
      execFileSync(path.join(bin, tool), ["-h", "127.0.0.1", "-p", String(at), "-U", "postgres", ...args], {
        ...options,
        env: { ...options.env, PGPASSWORD: password },
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"]
      })
    /** Waits until the query returns `t`. */
    const holds = async (query: string, at = port) => {
      while (run("psql", ["-Atc", query], at).trim() !== "t") await sleep(20)
    }
    let standbys = 0
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      get pid() {
        return server.pid ?? 0
      },
      directory,
      restart: async (signal, downMs) => {
        const exit = once(server, "exit")
        server.kill(signal)
        await exit
        await sleep(downMs)
        server = await start()
      },
      failover: async (downMs) => {
        const primary = server
        data = path.join(directory, `standby${++standbys}`)
        run("pg_basebackup", ["-D", data, "-R", "-c", "fast", "--no-sync"])
        const standbyPort = await freePort()
        const standby = await start(["-c", `port=${standbyPort}`])
        run("psql", ["-qc", "alter system set synchronous_standby_names = '*'", "-c", "select pg_reload_conf()"])
        await holds("select exists(select from pg_stat_replication where sync_state = 'sync')")
        // A commit that waits for the standby, so that the standby then has all earlier commits
        run("psql", ["-qc", "select pg_current_xact_id()"])
        const exit = once(primary, "exit")
        primary.kill("SIGQUIT")
        await exit
        run("psql", ["-qc", "select pg_promote()"], standbyPort)
        await holds("select not pg_is_in_recovery()", standbyPort)
        const standbyExit = once(standby, "exit")
        standby.kill("SIGINT")
        await standbyExit
        await sleep(downMs)
        server = await start()
      },
      stop: async () => {
        await end(server)
        remove()
      }
    }
  } catch (error) {
    remove()
    throw error
  }
}
