/** Creates an invented web server log for the import of AI traffic. The same time always gives the same lines. */
import { Duration } from "effect"

const lineCount = 600
const spanMs = Duration.toMillis(Duration.weeks(4))

/** Cumulative shares of the origins of requests: a referrer, a tag, or a crawler's user agent. */
const origins: ReadonlyArray<
  { readonly upTo: number; readonly referrer?: string; readonly tag?: string; readonly agent?: string }
> = [
  { upTo: 0.34, referrer: "https://chatgpt.com/" },
  { upTo: 0.44, referrer: "https://chatgpt.com/", tag: "chatgpt.com" },
  { upTo: 0.56, tag: "chatgpt.com" },
  { upTo: 0.68, referrer: "https://www.perplexity.ai/" },
  { upTo: 0.74, referrer: "https://gemini.google.com/" },
  { upTo: 0.79, referrer: "https://copilot.microsoft.com/" },
  { upTo: 0.83, referrer: "https://claude.ai/" },
  { upTo: 0.93, agent: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2)" },
  { upTo: 1, agent: "Mozilla/5.0 (compatible; PerplexityBot/1.0)" }
]
const browser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/141.0 Safari/537.36"

const paths = ["/", "/machines/uno", "/grinders", "/compare", "/guides/milk-foam", "/service"]

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
const twoDigits = (value: number): string => String(value).padStart(2, "0")

/** `22/Nov/2026:09:05:07 +0000` */
const formatLogTime = (time: Date): string =>
  `${twoDigits(time.getUTCDate())}/${months[time.getUTCMonth()]!}/${time.getUTCFullYear()}:${
    [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()].map(twoDigits).join(":")
  } +0000`

/** Numbers that fill [0, 1) evenly without a visible pattern (M. Roberts' R3 sequence). */
const spread = (n: number, dimension: 1 | 2 | 3): number => (0.5 + n / 1.2207440846057596 ** dimension) % 1

const formatLine = (n: number, now: number): string => {
  // The square root moves more requests into the later weeks
  const time = new Date(now - spanMs * (1 - Math.sqrt(spread(n, 1))))
  const { agent = browser, referrer = "-", tag } = origins.find(({ upTo }) => spread(n, 2) < upTo)!
  const path = paths[Math.floor(paths.length * spread(n, 3) ** 2)]!
  const target = tag === undefined ? path : `${path}?utm_source=${tag}`
  return `192.0.2.${n % 256} - - [${formatLogTime(time)}] "GET ${target} HTTP/1.1" 200 5120 "${referrer}" "${agent}"\n`
}

/** Log lines of the four weeks before `now` (milliseconds), in Apache's combined format. */
export const sampleLog = (now: number): string =>
  Array.from({ length: lineCount }, (_, n) => formatLine(n, now)).join("")
