/** Which address a request comes from, where proxies that the operator trusts stand before the server. */
import { Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { IpNetwork, NetAddress } from "effect/net"
import type { IncomingMessage } from "node:http"

/** An address as text; one that maps IPv4 into IPv6 is the IPv4 address. */
const parseAddress = (text: string): NetAddress.IpAddress | undefined => {
  const ip = Result.getOrUndefined(NetAddress.ipFromString(text.trim().replace(/^\[(.*)\]$/, "$1").replace(/%.*$/, "")))
  return ip === undefined ? undefined : NetAddress.toCanonical(ip)
}

/**
 * Identifies a client: its IPv4 address, or the /64 network of its IPv6 address, since a single client can use all
 * addresses of its network.
 */
export const networkOf = (address: string): string => {
  const ip = parseAddress(address)
  if (ip === undefined) return address
  return NetAddress.isIpv4Address(ip) ? NetAddress.formatIp(ip) : IpNetwork.format(IpNetwork.fromAddressUnsafe(ip, 64))
}

/**
 * Reads `10.0.0.0/8, fd00::/8, …`; fails with the first that is no network. `*` is refused: trusted networks are named.
 */
export const parseTrustedProxies = (text: string): Result.Result<ReadonlyArray<IpNetwork.IpNetwork>, string> =>
  Result.all(
    text.split(",").map((part) => part.trim()).filter((part) => part !== "").map((part) =>
      Result.mapError(IpNetwork.fromString(part), () => `${JSON.stringify(part)} is no network such as 10.0.0.0/8`)
    )
  )

/** More of all IPv4 or of all IPv6 addresses than this share is no set of proxies: four networks of 10.0.0.0's size. */
const maxTrustedShare = 1 / 64

/**
 * Whether the networks together have enough addresses that they name everybody rather than proxies, also as
 * `0.0.0.0/1, 128.0.0.0/1`. A network inside another one counts once.
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

/** Whether an address lies in one of the networks. */
export const makeIsTrusted = (trusted: ReadonlyArray<IpNetwork.IpNetwork>) => (address: string): boolean => {
  const ip = parseAddress(address)
  return ip !== undefined && trusted.some((network) => IpNetwork.contains(network, ip))
}

/**
 * The address of a request: that of its connection, or the last one of `X-Forwarded-For` that is no trusted proxy. The
 * header counts only where the connection comes from a trusted proxy; anybody else could write it.
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
    // What is no address at all names nobody: then the proxy itself is counted
    return client !== undefined && parseAddress(client) !== undefined ? client.replace(/^\[(.*)\]$/, "$1") : connected
  }
}

/** The network that a request counts for: see `makeClientAddress` and `networkOf`. */
export const makeClientNetwork = (trusted: ReadonlyArray<IpNetwork.IpNetwork>) => {
  const clientAddress = makeClientAddress(trusted)
  return ({ source }: HttpServerRequest.HttpServerRequest): string =>
    networkOf(clientAddress(source as IncomingMessage))
}
