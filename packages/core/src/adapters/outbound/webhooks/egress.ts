/**
 * Allowed targets of webhooks: public addresses on the usual ports, and the networks that the operator allows. The
 * lists are IANA's registries of special-purpose addresses (RFC 6890 and its successors).
 */
import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import { maxWebhookUrlLength } from "../../../domain/webhooks/Webhook.ts"

const parseNetworks = (...list: ReadonlyArray<string>) => list.map((one) => IpNetwork.fromStringUnsafe(one))

/** IPv4 networks that do not belong to the public internet. */
const special4 = parseNetworks(
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4"
)

/** Only global unicast IPv6 is public, except for these networks: protocol assignments, documentation, 6to4, AS112. */
const global6 = IpNetwork.fromStringUnsafe("2000::/3")
const special6 = parseNetworks("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")

const isWithin = (address: NetAddress.IpAddress, list: ReadonlyArray<IpNetwork.IpNetwork>): boolean =>
  list.some((network) => IpNetwork.contains(network, address))

const isPublic = (address: NetAddress.IpAddress): boolean =>
  NetAddress.isIpv4Address(address)
    ? !isWithin(address, special4)
    : IpNetwork.contains(global6, address) && !isWithin(address, special6)

/** Parses an address; an IPv4 address mapped into IPv6 is returned as IPv4. Undefined for other text. */
const parseAddress = (text: string): NetAddress.IpAddress | undefined => {
  const ip = Result.getOrUndefined(NetAddress.ipFromString(text.replace(/%.*$/, "")))
  return ip === undefined ? undefined : NetAddress.toCanonical(ip)
}

/** Reads `10.0.0.0/8, fd00::/8, …`; fails with the first entry that is not a network. */
export const parseCidrs = (text: string): Result.Result<ReadonlyArray<IpNetwork.IpNetwork>, string> =>
  Result.all(
    text.split(",").map((part) => part.trim()).filter((part) => part !== "").map((part) =>
      Result.mapError(IpNetwork.fromString(part), () => `${JSON.stringify(part)} is no network such as 10.0.0.0/8`)
    )
  )

/** What the operator allows in addition to https to the public internet. */
export interface EgressRules {
  /** SOV_WEBHOOK_ALLOW_CIDRS: addresses that may be called, on any port. */
  readonly allow: ReadonlyArray<IpNetwork.IpNetwork>
  /** SOV_WEBHOOK_ALLOW_HTTP: also allow plain http. */
  readonly http: boolean
}

/** Why an address must not be called, as one line. */
export type Denial = string

const readHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "")

const readPort = (url: URL): number => Number(url.port) || (url.protocol === "https:" ? 443 : 80)

export const makeEgress = ({ allow, http }: EgressRules) => {
  const ports = http ? [443, 8443, 80] : [443, 8443]

  /** Checks an address before or after it is connected to; null = it may be called. */
  const denial = (address: string, port: number): Denial | null => {
    const ip = parseAddress(address)
    if (ip !== undefined && isWithin(ip, allow)) return null
    if (ip === undefined || !isPublic(ip)) {
      return `${address} is not a public address; SOV_WEBHOOK_ALLOW_CIDRS can allow its network`
    }
    return ports.includes(port)
      ? null
      : `port ${port} is not one of ${ports.join(", ")}; SOV_WEBHOOK_ALLOW_CIDRS can allow ${address} with any port`
  }

  /** Checks a URL before its name is resolved; null means that only the connection can decide. */
  const refusal = (text: string): Denial | null => {
    const url = URL.parse(text)
    if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return "it is not an https:// address"
    if (url.protocol === "http:" && !http) return "it is not an https:// address; SOV_WEBHOOK_ALLOW_HTTP=1 allows http"
    if (url.username !== "" || url.password !== "") return "it holds a user name or password"
    if (text.includes("#")) return "it holds a fragment (#…)"
    if (text.length > maxWebhookUrlLength) {
      return `it is longer than ${maxWebhookUrlLength.toLocaleString("en")} characters`
    }
    if (parseAddress(readHost(url)) !== undefined) return denial(readHost(url), readPort(url))
    return ports.includes(readPort(url)) || allow.length > 0
      ? null
      : `port ${readPort(url)} is not one of ${ports.join(", ")}; SOV_WEBHOOK_ALLOW_CIDRS can allow other ones`
  }

  return { denial, refusal }
}

export type Egress = ReturnType<typeof makeEgress>
