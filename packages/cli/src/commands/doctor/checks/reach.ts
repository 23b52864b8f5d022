/**
 * Checks that the configured platforms are reachable by connecting to each base URL without sending a request. Only
 * with --online.
 */
import { Effect } from "effect"
import { connect } from "node:net"
import { connect as connectTls } from "node:tls"
import { CliError } from "../../../CliError.ts"
import { type Check, fail, ok, skipped } from "./Check.ts"

const connectTimeoutMs = 5_000

const reasonOfCode: { readonly [code: string]: string } = {
  ECONNREFUSED: "the connection is refused",
  ECONNRESET: "the connection is cut",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the name cannot be resolved",
  EHOSTUNREACH: "there is no way to the host",
  ENETUNREACH: "there is no way to the network"
}

/** Connects to the host of an http or https URL and returns why that fails; null if it works. Gives up after `ms`. */
export const findConnectFault = (baseUrl: string, ms: number = connectTimeoutMs): Promise<string | null> =>
  new Promise((resolve) => {
    const { hostname, port, protocol } = new URL(baseUrl)
    const host = hostname.replace(/^\[|\]$/g, "")
    const socket = protocol === "https:"
      ? connectTls({ host, port: Number(port || 443), servername: /^[\d.]+$|:/.test(host) ? "" : host })
      : connect({ host, port: Number(port || 80) })
    const done = (why: string | null) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(why)
    }
    const timer = setTimeout(() => done(`no answer within ${ms / 1000} s`), ms)
    socket.once(protocol === "https:" ? "secureConnect" : "connect", () => done(null))
    socket.once("error", (error: NodeJS.ErrnoException) => {
      const code = error.code ?? ""
      done(
        reasonOfCode[code] ??
          `${/CERT|TLS|SSL/.test(code) ? "the certificate or TLS is refused" : "no connection"} (${code})`
      )
    })
  })

export const reach: Check = {
  name: "reach",
  run: ({ config, online }) =>
    Effect.gen(function*() {
      if (!online) {
        return skipped("platforms are not contacted", "sov doctor --online connects to each")
      }
      if (config === null || config.decoded instanceof CliError) {
        return skipped("no usable configuration")
      }
      const targets = Object.entries(config.decoded.platforms).flatMap(([id, binding]) =>
        "baseUrl" in binding ? [{ id, url: binding.baseUrl }] : []
      )
      if (targets.length === 0) return skipped("no platform is reached over the network")
      const found = yield* Effect.forEach(
        targets,
        ({ id, url }) => Effect.map(Effect.promise(() => findConnectFault(url)), (why) => ({ id, url, why })),
        { concurrency: "unbounded" }
      )
      const bad = found.filter(({ why }) => why !== null)
      return bad.length === 0
        ? ok(targets.map(({ id }) => id).join(", "))
        : fail(
          bad.map(({ id, url, why }) => `${id} (${new URL(url).host}): ${why}`).join("; "),
          "check baseUrl in sov.config.json, the network, and a firewall in between"
        )
    })
}
