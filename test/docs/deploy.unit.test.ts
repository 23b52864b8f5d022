/**
 * Tests the files in docs/deploy.md with the programs that read them, if installed: systemd, nginx, Caddy and Compose
 * (with `CI` set, all must be installed), and that the files are consistent. `.ci/server` follows the page itself, and
 * `.ci/container` builds and runs the image.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process"
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { request } from "node:http"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it, onTestFinished } from "vitest"
import { parseAllDocuments } from "yaml"
import { codeBlocks, readPage } from "../support/docsPage.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const page = readPage("docs/deploy.md")
const { version } = JSON.parse(readPage("package.json")) as { readonly version: string }
const [major = 0, minor = 0] = version.split(".").map(Number)
const next = `${major}.${minor + 1}.0`
const directory = (): string => {
  const made = mkdtempSync(join(tmpdir(), "sov-deploy-"))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}
const installed = (program: string): boolean => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0
/** A test that needs a program, which may not be installed. */
const itWith = (program: string) => it.skipIf(process.env["CI"] !== "true" && !installed(program))
/** Runs the program; if it fails, its output is the error message. */
const run = (program: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
  const ran = spawnSync(program, [...args], { encoding: "utf8", env: { ...process.env, ...env }, cwd: root })
  return { status: ran.status, said: `${ran.stdout}${ran.stderr}` }
}
const passed = { status: 0 }

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { readonly port: number }
      server.close(() => resolve(port))
    })
  })
const get = (port: number, path: string, headers: Readonly<Record<string, string>> = {}) =>
  new Promise<{ readonly status: number | undefined; readonly headers: NodeJS.Dict<string | Array<string>> }>(
    (resolve, reject) => {
      const answered = ({ headers, statusCode: status }: import("node:http").IncomingMessage) =>
        resolve({ status, headers })
      request({ host: "127.0.0.1", port, path, headers, agent: false }, answered).on("error", reject).end()
    }
  )
/** Starts the program; `stop` ends it and returns its output. */
const start = (program: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
  const child = spawn(program, [...args], { env: { ...process.env, ...env }, cwd: root })
  let said = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes: Buffer) => said += bytes.toString())
  const ended = new Promise((resolve) => child.on("close", resolve))
  onTestFinished(() => void child.kill("SIGKILL"))
  return {
    said: () => said,
    stop: async () => {
      child.kill("SIGTERM")
      await ended
      return said
    }
  }
}
/** Sends requests to the port until it responds. */
const answers = (port: number) => expect.poll(() => get(port, "/first").catch(() => null)).not.toBe(null)
const secretPaths = ["/share/SECRET", "/unsubscribe/SECRET?x=1", "/login/link/SECRET"]

describe("systemd", () => {
  const units = readdirSync(join(root, "deploy/systemd"))
  /** The systemd units in a temporary root folder that contains the programs that they start. */
  const system = () => {
    const at = directory()
    cpSync(join(root, "deploy/systemd"), join(at, "etc/systemd/system"), { recursive: true })
    cpSync("/usr/lib/systemd/system", join(at, "usr/lib/systemd/system"), { recursive: true, verbatimSymlinks: true })
    for (
      const program of [
        "usr/local/bin/sov",
        "opt/sov/current/deploy/bin/backup",
        "opt/sov/current/deploy/bin/restore-drill"
      ]
    ) {
      mkdirSync(join(at, program, ".."), { recursive: true })
      writeFileSync(join(at, program), "#!/bin/sh\n", { mode: 0o755 })
    }
    return at
  }
  const verify = (at: string) => run("systemd-analyze", ["verify", "--man=no", `--root=${at}`, ...units])

  itWith("systemd-analyze")("systemd accepts every unit without a warning", () => {
    const { said, status } = verify(system())
    expect(said.split("\n").filter((line) => /sov/.test(line))).toEqual([])
    expect(status).toBe(0)
  })

  itWith("systemd-analyze")("systemd reports an unknown setting", () => {
    const at = system()
    const unit = join(at, "etc/systemd/system/sov.service")
    writeFileSync(unit, readFileSync(unit, "utf8").replace("ProtectHome=yes", "ProtectHomes=yes"))
    expect(verify(at).said).toContain("ProtectHomes")
  })

  it.each(units.filter((unit) => /^sov(?:-worker@)?\.service$/.test(unit)))(
    "the unit %s starts when the machine boots, with hardened settings",
    (unit) => {
      const text = readFileSync(join(root, "deploy/systemd", unit), "utf8")
      for (
        const line of [
          "WantedBy=multi-user.target",
          "User=sov",
          "LoadCredential=sov:/etc/sov/credentials",
          "NoNewPrivileges=yes",
          "ProtectSystem=strict",
          "TimeoutStopSec=40"
        ]
      ) expect(text.split("\n"), unit).toContain(line)
    }
  )

  it("each timer in the folder has its service, and the commands on the page start every timer", () => {
    for (const timer of units.filter((unit) => unit.endsWith(".timer"))) {
      expect(units).toContain(timer.replace(".timer", ".service"))
      expect(page).toContain(timer)
    }
  })
})

describe("nginx", () => {
  const config = (site: string): string => {
    const at = directory()
    const made = ["-keyout", join(at, "privkey.pem"), "-out", join(at, "fullchain.pem")]
    const how = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=sov.example.com"]
    execFileSync("openssl", ["req", ...how, ...made], { stdio: "ignore" })
    writeFileSync(join(at, "site"), site.replaceAll("/etc/letsencrypt/live/sov.example.com", at))
    writeFileSync(join(at, "nginx.conf"), `pid ${at}/pid; events {} http { access_log off; include ${at}/site; }`)
    return join(at, "nginx.conf")
  }
  const site = readFileSync(join(root, "deploy/nginx.conf"), "utf8")
  const test = (text: string) => run("nginx", ["-t", "-e", "/dev/null", "-c", config(text)])

  itWith("nginx")("nginx accepts the site without a warning", () => {
    const { said, status } = test(site)
    expect(said).not.toMatch(/\[(?:warn|emerg)\]/)
    expect(status, said).toBe(0)
  })

  itWith("nginx")(
    "nginx never logs the address of a link while sov does not respond, with or without TLS",
    async () => {
      const [plain, tls, nobody] = [await freePort(), await freePort(), await freePort()]
      const file = config(
        site.replaceAll(/listen \[::\].*\n/g, "").replace("listen 80;", `listen 127.0.0.1:${plain};`)
          // Without TLS, because this test is about the log
          .replace("listen 443 ssl;", `listen 127.0.0.1:${tls};`).replace("127.0.0.1:4680", `127.0.0.1:${nobody}`)
      )
      const log = join(file, "../log")
      const logs = `access_log ${log} combined; error_log ${log} info;`
      writeFileSync(file, `daemon off; ${readFileSync(file, "utf8").replace("access_log off;", logs)}`)
      const nginx = start("nginx", ["-e", log, "-c", file])
      await answers(tls)
      for (const path of secretPaths) {
        expect(await get(plain, path)).toMatchObject({ status: 308, headers: { location: `https://127.0.0.1${path}` } })
        expect(await get(tls, path)).toMatchObject({ status: 502, headers: { "referrer-policy": "strict-origin" } })
      }
      await nginx.stop()
      const said = readFileSync(log, "utf8")
      expect(said).toContain("/first")
      expect(said).not.toContain("SECRET")
    }
  )

  itWith("nginx")("nginx refuses an unknown directive", () => {
    expect(test(site.replace("proxy_buffering", "proxy_bufferings")).status).not.toBe(0)
  })
})

describe("Caddy", () => {
  const validate = (file: string) =>
    run("caddy", ["validate", "--adapter", "caddyfile", "--config", file], {
      HOME: directory(),
      SOV_DOMAIN: "sov.example.com"
    })

  itWith("caddy")("Caddy accepts the Caddyfile", () => {
    const { said, status } = validate(join(root, "deploy/Caddyfile"))
    expect(status, said).toBe(0)
  })

  itWith("caddy")("Caddy never logs the address of a link, even while sov does not respond", async () => {
    const [port, nobody] = [await freePort(), await freePort()]
    const file = join(directory(), "Caddyfile")
    writeFileSync(file, readFileSync(join(root, "deploy/Caddyfile"), "utf8").replace(/^\{$/m, "{\n\tadmin off"))
    const caddy = start("caddy", ["run", "--adapter", "caddyfile", "--config", file], {
      HOME: directory(),
      SOV_DOMAIN: `http://127.0.0.1:${port}`,
      SOV_UPSTREAM: `127.0.0.1:${nobody}`
    })
    await answers(port)
    for (const path of secretPaths) {
      expect((await get(port, path, { referer: `http://127.0.0.1${path}` })).status).toBe(502)
    }
    const said = await caddy.stop()
    expect(said).toContain("/share/***")
    expect(said).toContain("http.log.access")
    expect(said).toContain("http.log.error")
    expect(said).not.toContain("SECRET")
  })

  itWith("caddy")("Caddy refuses an unknown directive", () => {
    const file = join(directory(), "Caddyfile")
    writeFileSync(
      file,
      readFileSync(join(root, "deploy/Caddyfile"), "utf8").replace("reverse_proxy", "reverse_proxies")
    )
    expect(validate(file).status).not.toBe(0)
  })

  it("the command on the page passes the host name to Caddy", () => {
    const { 1: pattern } = /sed 's\/(.*?)\/sov/.exec(page)!
    expect(readFileSync(join(root, "deploy/Caddyfile"), "utf8")).toContain(pattern)
  })
})

interface Service {
  readonly image?: string
  readonly read_only?: boolean
  readonly networks?: ReadonlyArray<string>
  readonly environment?: Readonly<Record<string, string>>
  readonly logging?: { readonly options: Readonly<Record<string, string>> }
  readonly volumes?: ReadonlyArray<string>
}

describe("Compose", () => {
  const compose = parseAllDocuments(readFileSync(join(root, "compose.yaml"), "utf8"), { merge: true })[0]!.toJS() as {
    readonly services: Readonly<Record<string, Service>>
    readonly networks: { readonly front: { readonly ipam: { readonly config: ReadonlyArray<{ subnet: string }> } } }
  }

  it.skipIf(!installed("docker-compose"))("Compose accepts the file", () => {
    expect(run("docker-compose", ["config", "--quiet"])).toMatchObject(passed)
  })

  it("the Compose file contains sov, a worker, Postgres 17 and Caddy, and trusts only Caddy's network", () => {
    const { services } = compose
    expect(Object.keys(services)).toEqual(["sov", "worker", "postgres", "caddy"])
    expect(services["postgres"]!.image).toBe("postgres:17")
    expect(services["postgres"]!.networks).toEqual(["data"])
    expect(services["caddy"]!.networks).toEqual(["front"])
    for (const name of ["sov", "worker"]) {
      expect(services[name]).toMatchObject({ read_only: true, networks: ["front", "data"] })
      expect(services[name]!.environment!["SOV_TRUSTED_PROXIES"]).toBe(compose.networks.front.ipam.config[0]!.subnet)
    }
  })

  it("the Compose file limits the logs of every container", () => {
    for (const [name, { logging }] of Object.entries(compose.services)) {
      expect(logging?.options, name).toEqual({ "max-size": "50m", "max-file": "5" })
    }
  })

  it("in the Compose file, the worker gets the directory of credentials that the page creates", () => {
    expect(page).toContain("echo \"SOV_WORKER_CREDENTIALS=./worker\" >> .env")
    expect(compose.services["worker"]!.volumes).toContain(
      "${SOV_WORKER_CREDENTIALS:-./credentials}:/run/credentials:ro"
    )
    expect(compose.services["sov"]!.volumes).toContain("./credentials:/run/credentials:ro")
  })
})

describe("Kubernetes", () => {
  interface Named {
    readonly name: string
  }
  interface Labels {
    readonly [name: string]: string
  }
  interface Container {
    readonly args: ReadonlyArray<string>
    readonly ports?: ReadonlyArray<Named>
    readonly securityContext: object
    readonly volumeMounts: ReadonlyArray<Named>
  }
  interface Resource {
    readonly kind: string
    readonly metadata: Named
    readonly spec: {
      readonly replicas: number
      readonly selector: Labels & { readonly matchLabels: Labels }
      readonly ports: ReadonlyArray<{ readonly targetPort: string }>
      readonly template: {
        readonly metadata: { readonly labels: Labels }
        readonly spec: {
          readonly terminationGracePeriodSeconds: number
          readonly containers: readonly [Container]
          readonly volumes: ReadonlyArray<Named>
        }
      }
    }
  }
  const resources = parseAllDocuments(readFileSync(join(root, "deploy/kubernetes.yaml"), "utf8")).map((one) => {
    expect(one.errors).toEqual([])
    return one.toJS() as Resource
  })
  const deployments = resources.filter(({ kind }) => kind === "Deployment")

  it("the manifests contain a server and two workers, and each selects its own pods", () => {
    expect(deployments.map(({ metadata, spec }) => [metadata.name, spec.replicas])).toEqual([["sov", 1], [
      "sov-worker",
      2
    ]])
    for (const { spec: { selector, template } } of deployments) {
      expect(template.metadata.labels).toEqual(selector.matchLabels)
    }
    const budget = resources.find(({ kind }) => kind === "PodDisruptionBudget")!
    expect(budget.spec.selector.matchLabels).toEqual(deployments[1]!.spec.selector.matchLabels)
  })

  it("the manifests mount only existing volumes, read-only, drop all privileges, and give sov time to stop", () => {
    for (const { spec: { template: { spec } } } of deployments) {
      const [container] = spec.containers
      expect(container.volumeMounts.map(({ name }) => name)).toEqual(spec.volumes.map(({ name }) => name))
      expect(spec.terminationGracePeriodSeconds).toBe(40)
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] }
      })
    }
  })

  it("the service points to the server's port", () => {
    const { spec } = resources.find(({ kind }) => kind === "Service")!
    const [server] = deployments
    expect(server!.spec.template.metadata.labels).toEqual(spec.selector)
    expect(server!.spec.template.spec.containers[0].ports!.map(({ name }) => name)).toEqual([spec.ports[0]!.targetPort])
  })
})

it.each([["", 0], ["true", 1]])(
  "without a container program and with CI='%s', .ci/container says so and exits with %i",
  (ci, status) => {
    const bin = directory()
    for (const program of ["bash", "dirname", "id"]) symlinkSync(`/usr/bin/${program}`, join(bin, program))
    const ran = run("/bin/bash", [join(root, ".ci/container")], { PATH: bin, CI: ci })
    expect(ran.status).toBe(status)
    expect(ran.said).toMatch(/^SKIPPED, the image was neither built nor run\. Missing: buildah podman crun/)
  }
)

it("every script in deploy/bin has valid shell syntax", () => {
  for (const script of readdirSync(join(root, "deploy/bin"))) {
    expect(run("sh", ["-n", join(root, "deploy/bin", script)]), script).toMatchObject(passed)
  }
})

describe("deploy/bin with a fake sov that records its arguments", () => {
  /**
   * Creates a fake `sov` on PATH that records its arguments and runs `orgList` for `org list`, and a directory for
   * backups.
   */
  const prepare = (orgList: string) => {
    const at = directory()
    mkdirSync(join(at, "bin"))
    mkdirSync(join(at, "backups"))
    writeFileSync(
      join(at, "bin/sov"),
      `#!/bin/sh\necho "$*" >> ${at}/asked\ncase "$1 $2" in\n"org list") ${orgList} ;;\n"db backup") touch "$3" ;;\nesac\n`,
      { mode: 0o755 }
    )
    return {
      backups: join(at, "backups"),
      asked: () => readFileSync(join(at, "asked"), "utf8"),
      run: (script: string, ...args: ReadonlyArray<string>) =>
        run("sh", [join(root, "deploy/bin", script), join(at, "backups"), ...args], {
          PATH: `${join(at, "bin")}:${process.env["PATH"]!}`
        })
    }
  }
  const drill = (orgList: string) => {
    const prepared = prepare(orgList)
    writeFileSync(join(prepared.backups, "sov-2026-01-01T000000Z.ndjson.gz"), "")
    return { ...prepared.run("restore-drill"), asked: prepared.asked() }
  }

  it("the restore drill verifies the archive of every organization", () => {
    const { asked, said, status } = drill(`printf '{"id":"1","slug":"acme"}\\n{"id":"2","slug":"globex"}\\n'`)
    expect(said).toContain("is whole")
    expect(status).toBe(0)
    expect(asked).toContain("archive verify --org acme\narchive verify --org globex\n")
  })

  it.each([
    ["fails", "exit 1"],
    ["is empty", ":"],
    ["names an organization in another form", `printf '{"slug":"acme"}\\n{"slug": "globex"}\\n'`]
  ])("the restore drill fails if the list of organizations %s", (_, orgList) => {
    const { said, status } = drill(orgList)
    expect(said).not.toContain("is whole")
    expect(status).not.toBe(0)
  })

  it("the sweep removes old nightly backups, but keeps the backup made before an upgrade", () => {
    const { backups, run } = prepare(":")
    const before = /\/var\/lib\/sov-backup\/(before-\S+)/.exec(page)![1]!
    for (const name of ["sov-2026-01-01T000000Z.ndjson.gz", before]) {
      writeFileSync(join(backups, name), "")
      utimesSync(join(backups, name), 0, 0)
    }
    expect(run("backup", "14").status).toBe(0)
    expect(readdirSync(backups)).toEqual([before, expect.stringMatching(/^sov-2(?!026-01-01)/)])
  })
})

it("an upgrade backs up after the services have stopped, and a rollback restores that backup before renaming a database", () => {
  const blocks = codeBlocks(page, "sh").join("")
  const order = [
    "systemctl stop sov.service 'sov-worker@*.service'\nsov-admin db backup /var/lib/sov-backup/before-",
    `ln -sfn /opt/sov/${next}`,
    "sov-admin db restore /var/lib/sov-backup/before-",
    "rename to sov_newer"
  ].map((step) => blocks.indexOf(step))
  expect(order).not.toContain(-1)
  expect(order).toEqual(order.toSorted((one, other) => one - other))
  expect(/db restore (\S+)/.exec(blocks)![1]).toBe(/db backup (\S+)/.exec(blocks)![1])
})

it("the page installs this version, and upgrades to the next minor version", () => {
  const blocks = codeBlocks(page, "sh")
  expect(blocks.length).toBeGreaterThan(8)
  expect(blocks[0]).toContain(`--branch v${version} `)
  expect(blocks.findLast((block) => /opt.sov.\d/.test(block))).toContain(`ln -sfn /opt/sov/${version} `)
  const named = page.match(/(?<=\bv|\/|:|-)\d+\.\d+\.\d+(?!\.?\d)/g)!
  expect([...new Set(named)]).toEqual([version, next])
})
