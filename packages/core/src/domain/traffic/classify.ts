/**
 * Classification of a logged request (docs/measuring.md), in this order: a crawler's fetch is no visit; a referrer that
 * is an assistant is a referrer signal; an assistant's tag without referrer, or with the own site's, is a tag-only
 * visit; the same with the referrer of another site is one, too, marked as such: the tag survives the copying of a
 * link. All else is no AI traffic, and neither are redirects, whose page is asked for next, and requests that read no
 * page. The own site's pages are no assistant, also on an assistant's domain.
 */
import { findByHost, memoizeByText, normalizeHost, parseUrlHost } from "./hosts.ts"
import { boundPath, findSourceTag, parseLanding } from "./landing.ts"
import type { CrawlerPurpose, TrafficSources } from "./TrafficSources.ts"

/** One line of a log; "" for what the log does not have. */
export interface LoggedRequest {
  /** Milliseconds since 1970. */
  readonly time: number
  /** As in the request line: `/pricing?utm_source=x`, or a whole URL. */
  readonly target: string
  /** `GET`, in any case. */
  readonly method: string
  /** Status code of the response; 0 = the log does not have it. */
  readonly status: number
  readonly referrer: string
  readonly userAgent: string
  /** Host that was asked, where the log has it. */
  readonly host: string
}

/** All signals, in the order of reports. */
export const trafficSignals = ["referrer", "tag", "crawler"] as const
/** `referrer` an assistant's page led here · `tag` only the link's tag says so · `crawler` no visit at all. */
export type TrafficSignal = typeof trafficSignals[number]

/** A request that counts. */
export interface TrafficHit {
  readonly signal: TrafficSignal
  /** Id of the assistant; of a crawler its entry in the table. */
  readonly source: string
  /** The tag as the table has it, "" without one. A referrer signal may carry one, too, and is one signal still. */
  readonly tag: string
  /** A tag-only visit whose referrer is another site. */
  readonly foreignReferrer: boolean
  /** Landing page, without query; "" for crawlers. */
  readonly path: string
}

const rememberedHosts = 20_000
const rememberedAgents = 20_000

interface Recognition {
  readonly host: string | null
  /** Assistant of the whole host, or of some of its paths. */
  readonly assistant: string | undefined
  readonly paths: ReadonlyArray<{ readonly path: string; readonly id: string }>
  readonly own: boolean
}

const removeWww = (host: string): string => host.startsWith("www.") ? host.slice(4) : host

/** Whether a page was asked for and not sent on to another address; what the log does not say is taken to be so. */
const isVisit = ({ method, status }: LoggedRequest): boolean =>
  (status < 300 || status > 399 || status === 304) && (method === "" || /^(GET|HEAD)$/i.test(method))

const parseUrlPath = (url: string): string => URL.parse(url)?.pathname ?? "/"

/** Tells crawlers by their user agent: the longest entry that is part of it; null for none. */
const makeCrawlerFinder = (sources: TrafficSources): (userAgent: string) => string | null => {
  const { training_or_index: index = [], user_triggered_fetch: fetch = [] } = sources.crawlers ?? {}
  const agents = [...index, ...fetch].toSorted((a, b) => b.length - a.length)
    .map((agent) => ({ agent, part: agent.toLowerCase() }))
  return memoizeByText(rememberedAgents, (userAgent) => {
    const lower = userAgent.toLowerCase()
    return agents.find(({ part }) => lower.includes(part))?.agent ?? null
  })
}

/** Purpose of each crawler in the table. */
export const mapCrawlerPurposes = (sources: TrafficSources): ReadonlyMap<string, CrawlerPurpose> =>
  new Map([
    ...(sources.crawlers?.training_or_index ?? []).map((agent) => [agent, "training_or_index"] as const),
    ...(sources.crawlers?.user_triggered_fetch ?? []).map((agent) => [agent, "user_triggered_fetch"] as const)
  ])

/**
 * Makes the function that tells what a request is; null = no AI traffic. `ownHosts` are hosts of the own site, whose
 * subdomains belong to it, too. It is linear in the request's length and remembers a bounded number of hosts.
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
  // Up to the path a URL's host depends on nothing else
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
