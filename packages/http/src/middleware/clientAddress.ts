/** Determines the address that a request comes from, even behind proxies that the operator trusts. */
import { Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { IpNetwork, NetAddress } from "effect/net"
import type { IncomingMessage } from "node:http"

/** Parses an address. An IPv4-mapped IPv6 address becomes an IPv4 address. */
const parseAddress = (text: string): NetAddress.IpAddress | undefined => {
  const ip = Result.getOrUndefined(NetAddress.ipFromString(text.trim().replace(/^\[(.*)\]$/, "$1").replace(/%.*$/, "")))
  return ip === undefined ? undefined : NetAddress.toCanonical(ip)
}

/**
 * The network that identifies a client: its IPv4 address, or the /64 network of its IPv6 address, because one client
 * can use all addresses of that network.
 */
export const networkOf = (address: string): string => {
  const ip = parseAddress(address)
  if (ip === undefined) return address
  return NetAddress.isIpv4Address(ip) ? NetAddress.formatIp(ip) : IpNetwork.format(IpNetwork.fromAddressUnsafe(ip, 64))
}

/**
 * Parses `10.0.0.0/8, fd00::/8, …`; fails with the first entry that is not a network. `*` is refused, because trusted
 * networks must be named.
 */
export const parseTrustedProxies = (text: string): Result.Result<ReadonlyArray<IpNetwork.IpNetwork>, string> =>
  Result.all(
    text.split(",").map((part) => part.trim()).filter((part) => part !== "").map((part) =>
      Result.mapError(IpNetwork.fromString(part), () => `${JSON.stringify(part)} is no network such as 10.0.0.0/8`)
    )
  )

/**
 * Networks that together contain more than this share of all IPv4 or IPv6 addresses cannot be a list of proxies. The
 * share equals four networks of the size of 10.0.0.0/8.
 */
const maxTrustedShare = 1 / 64

/**
 * Whether the networks contain too many addresses to be proxies, even when written as `0.0.0.0/1, 128.0.0.0/1`. A
 * network inside another one is not counted twice.
 */
export const namesTooMany = (trusted: ReadonlyArray<IpNetwork.IpNetwork>): boolean =>
  [IpNetwork.isIpv4Network, IpNetwork.isIpv6Network].some((isOfFamily) => {
    const networks = trusted.filter((network) => isOfFamily(network))
    const outermost = networks.filter((network, i) =>
      !networks.some((other, j) =>
        j !== i && IpNetwork.containsNetwork(other, network) && (other.prefixLength < network.prefixLength || j < i)
      )
    )
    return outermost.reduce((share, { prefixLength }) => share + 2 ** -prefixLength, 0) > maxTrustedShare
  })

/** Whether an address is in one of the networks. */
export const makeIsTrusted = (trusted: ReadonlyArray<IpNetwork.IpNetwork>) => (address: string): boolean => {
  const ip = parseAddress(address)
  return ip !== undefined && trusted.some((network) => IpNetwork.contains(network, ip))
}

/**
 * The address of a request: that of its connection, or the last address in `X-Forwarded-For` that is not a trusted
 * proxy. The header counts only on connections from a trusted proxy, because any client could send it.
 */
export const makeClientAddress = (trusted: ReadonlyArray<IpNetwork.IpNetwork>) => {
  const isTrusted = makeIsTrusted(trusted)
  return (
    { headers, socket }: Pick<IncomingMessage, "headers"> & {
      readonly socket: { readonly remoteAddress?: string | undefined }
    }
  ): string => {
    const connected = socket.remoteAddress ?? ""
    if (trusted.length === 0 || !isTrusted(connected)) return connected
    const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",").map((one) => one.trim())
    const client = forwarded.findLast((one) => !isTrusted(one))
    // If the entry is not an address, the proxy's own address is used
    return client !== undefined && parseAddress(client) !== undefined ? client.replace(/^\[(.*)\]$/, "$1") : connected
  }
}

/** The network to which limits apply for a request; see `makeClientAddress` and `networkOf`. */
export const makeClientNetwork = (trusted: ReadonlyArray<IpNetwork.IpNetwork>) => {
  const clientAddress = makeClientAddress(trusted)
  return ({ source }: HttpServerRequest.HttpServerRequest): string =>
    networkOf(clientAddress(source as IncomingMessage))
}
