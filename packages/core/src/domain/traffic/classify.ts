/**
 * Classifies a logged request (docs/measuring.md), in this order. A crawler's fetch is not a visit. A referrer on an
 * assistant's site is a referrer signal. An assistant's tag without a referrer, or with the own site as referrer, is a
 * tag-only visit. With the referrer of another site it is also a tag-only visit, but marked, because tags survive when
 * links are copied. Everything else is not AI traffic; nor are redirects, whose target is requested next, and requests
 * that do not read a page. Pages of the own site never count as an assistant, even on an assistant's domain.
 */
import { findByHost, memoizeByText, normalizeHost, parseUrlHost } from "./hosts.ts"
import { boundPath, findSourceTag, parseLanding } from "./landing.ts"
import type { CrawlerPurpose, TrafficSources } from "./TrafficSources.ts"

/** One line of a log; "" for values that the log lacks. */
export interface LoggedRequest {
  /** Time in milliseconds since 1970. */
  readonly time: number
  /** The target as in the request line: `/pricing?utm_source=x`, or a complete URL. */
  readonly target: string
  /** The method, such as `GET`, in any case. */
  readonly method: string
  /** Status code of the response; 0 if the log lacks it. */
  readonly status: number
  readonly referrer: string
  readonly userAgent: string
  /** The requested host; "" if the log lacks it. */
  readonly host: string
}

/** All signals, in the order of reports. */
export const trafficSignals = ["referrer", "tag", "crawler"] as const
/**
 * `referrer`: the visit came from an assistant's page · `tag`: only the link's tag points to an assistant · `crawler`:
 * not a visit.
 */
export type TrafficSignal = typeof trafficSignals[number]

/** A request that counts. */
export interface TrafficHit {
  readonly signal: TrafficSignal
  /** Id of the assistant, or the crawler's entry in the table. */
  readonly source: string
  /**
   * The tag as the table spells it; "" if there is no tag. A visit with a referrer signal may also have a tag, and
   * still counts as one signal.
   */
  readonly tag: string
  /** Whether this is a tag-only visit with another site as its referrer. */
  readonly foreignReferrer: boolean
  /** Landing page without its query; "" for crawlers. */
  readonly path: string
}

const rememberedHosts = 20_000
const rememberedAgents = 20_000

interface Recognition {
  readonly host: string | null
  /** The assistant of the entire host, or of some of its paths. */
  readonly assistant: string | undefined
  readonly paths: ReadonlyArray<{ readonly path: string; readonly id: string }>
  readonly own: boolean
}

const removeWww = (host: string): string => host.startsWith("www.") ? host.slice(4) : host

/**
 * Whether the request read a page and was not redirected. If the log lacks the method or status, the request counts as
 * a visit.
 */
const isVisit = ({ method, status }: LoggedRequest): boolean =>
  (status < 300 || status > 399 || status === 304) && (method === "" || /^(GET|HEAD)$/i.test(method))

const parseUrlPath = (url: string): string => URL.parse(url)?.pathname ?? "/"

/**
 * Creates a function that recognises crawlers by user agent: returns the longest entry that the user agent contains;
 * null if there is no such entry.
 */
const makeCrawlerFinder = (sources: TrafficSources): (userAgent: string) => string | null => {
  const { training_or_index: index = [], user_triggered_fetch: fetch = [] } = sources.crawlers ?? {}
  const agents = [...index, ...fetch].toSorted((a, b) => b.length - a.length)
    .map((agent) => ({ agent, part: agent.toLowerCase() }))
  return memoizeByText(rememberedAgents, (userAgent) => {
    const lower = userAgent.toLowerCase()
    return agents.find(({ part }) => lower.includes(part))?.agent ?? null
  })
}

/** The purpose of each crawler in the table. */
export const mapCrawlerPurposes = (sources: TrafficSources): ReadonlyMap<string, CrawlerPurpose> =>
  new Map([
    ...(sources.crawlers?.training_or_index ?? []).map((agent) => [agent, "training_or_index"] as const),
    ...(sources.crawlers?.user_triggered_fetch ?? []).map((agent) => [agent, "user_triggered_fetch"] as const)
  ])

/**
 * Creates a function that classifies a request; it returns null for requests that are not AI traffic. `ownHosts` are
 * the hosts of the own site, including their subdomains. The function runs in linear time and remembers a bounded
 * number of hosts.
 */
export const makeClassifier = (sources: TrafficSources, ownHosts: ReadonlyArray<string>) => {
  const assistants = sources.assistants ?? []
  const hosts = new Map<string, string>()
  const paths = new Map<string, Array<Recognition["paths"][number]>>()
  const tags = new Map<string, { readonly id: string; readonly tag: string }>()
  for (const one of assistants) {
    for (const host of one.hosts ?? []) hosts.set(normalizeHost(host) ?? host, one.id)
    for (const { host, path } of one.paths ?? []) {
      const key = normalizeHost(host) ?? host
      paths.set(key, [...paths.get(key) ?? [], { path, id: one.id }])
    }
    for (const tag of one.tags ?? []) tags.set(tag.toLowerCase(), { id: one.id, tag: tag.toLowerCase() })
  }
  const own = new Map(ownHosts.map((host) => [removeWww(normalizeHost(host) ?? host), true]))

  const recognize = (host: string | null): Recognition =>
    host === null
      ? { host, assistant: undefined, paths: [], own: false }
      : {
        host,
        assistant: findByHost(hosts, host),
        paths: findByHost(paths, host) ?? [],
        own: findByHost(own, host) === true
      }
  // A URL's host depends only on the part before the path
  const judgeOrigin = memoizeByText(rememberedHosts, (origin) => recognize(parseUrlHost(origin)))
  const hostOf = memoizeByText(rememberedHosts, (authority) => normalizeHost(authority) ?? "")
  const crawler = makeCrawlerFinder(sources)

  const recognizeReferrer = (referrer: string): Recognition => {
    const origin = /^https?:\/\/[^/?#\\]*/i.exec(referrer)
    return origin === null ? recognize(parseUrlHost(referrer)) : judgeOrigin(origin[0])
  }
  const findAssistant = (recognition: Recognition, referrer: string): string | undefined => {
    if (recognition.paths.length === 0) return recognition.assistant
    const path = parseUrlPath(referrer)
    return recognition.paths.find((one) => path === one.path || path.startsWith(`${one.path}/`))?.id ??
      recognition.assistant
  }

  return (request: LoggedRequest): TrafficHit | null => {
    const landing = parseLanding(request.target)
    if (landing === null) return null
    const agent = crawler(request.userAgent)
    if (agent !== null) return { signal: "crawler", source: agent, tag: "", foreignReferrer: false, path: "" }
    if (!isVisit(request)) return null

    const { referrer } = request
    const none = referrer === "" || referrer === "-"
    const recognition = none ? null : recognizeReferrer(referrer)
    const asked = landing.authority === "" ? request.host : landing.authority
    const isOwn = recognition !== null && recognition.host !== null &&
      (recognition.own || (asked !== "" && removeWww(recognition.host) === removeWww(hostOf(asked))))
    const assistant = recognition === null || isOwn ? undefined : findAssistant(recognition, referrer)
    const tag = tags.get(findSourceTag(landing.query))
    if (assistant !== undefined) {
      return {
        signal: "referrer",
        source: assistant,
        tag: tag?.tag ?? "",
        foreignReferrer: false,
        path: boundPath(landing.path)
      }
    }
    if (tag === undefined) return null
    return {
      signal: "tag",
      source: tag.id,
      tag: tag.tag,
      foreignReferrer: recognition !== null && !isOwn,
      path: boundPath(landing.path)
    }
  }
}
