/** Requests of the clients on `fetch`: key, deadlines, retries and errors. */

/** A fault in a request: its place, and what is expected there. */
export interface Fault {
  readonly path: ReadonlyArray<string | number>
  readonly message: string
}

/** A problem (RFC 9457). Its type decides which further members it has. */
export interface Problem {
  /** Identifier that never changes its meaning, e.g. `/problems/scan-quota-exhausted`. */
  readonly type: string
  readonly status: number
  readonly title: string
  readonly detail?: string
  readonly request_id?: string
  /** The faults in the request. */
  readonly errors?: ReadonlyArray<Fault>
  readonly [member: string]: unknown
}

/** The faults that a problem lists; empty if `errors` has another form. */
export const faultsIn = ({ errors }: Problem): ReadonlyArray<Fault> =>
  Array.isArray(errors) && errors.every((one) => Array.isArray((one as Fault | null)?.path))
    ? errors as ReadonlyArray<Fault>
    : []

/** The server refused the request, or the response does not come from a sov server. */
export class SovProblem extends Error {
  override readonly name = "SovProblem"
  /** As the server sent it. If the body is not a problem, it is made from the status, with `type` `about:blank`. */
  readonly problem: Problem
  /** Seconds after which to try again, if the server says so. */
  readonly retryAfter: number | undefined

  constructor(problem: Problem, retryAfter: number | undefined) {
    const faults = faultsIn(problem).map(({ message, path }) => `${path.join(".")} ${message}`).join("; ")
    const detail = problem.detail === undefined ? [] : [problem.detail]
    super([problem.title, ...detail, ...faults === "" ? [] : [faults]].join(": "))
    this.problem = problem
    this.retryAfter = retryAfter
  }
}

/** The server did not respond to any attempt. `cause` says why. */
export class SovUnreachable extends Error {
  override readonly name = "SovUnreachable"
}

/** A failed attempt that will be retried. */
export interface Retry {
  /** Attempts so far. */
  readonly attempt: number
  readonly waitMs: number
  readonly error: SovProblem | SovUnreachable
}

export interface ClientOptions {
  /** Address of the server, e.g. `https://sov.example.com`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Attempts after the first one; default 4, 0 = none. */
  readonly retries?: number
  /** Longest wait in milliseconds; if the server asks for more, the call fails immediately. Default 60,000. */
  readonly maxWaitMs?: number
  /** Milliseconds that one attempt may take; default 30,000. */
  readonly timeoutMs?: number
  /** Called before each wait. */
  readonly onRetry?: (retry: Retry) => void
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch
}

export interface CallOptions {
  /** Ends the call, its waits and its retries; it rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

export interface StartOptions extends CallOptions {
  /**
   * 1 to 255 printable ASCII characters. Within 24 hours the same key starts one scan, and for ever it
   * creates one organization, however often it is sent.
   * Default: a random key for each call, so that its retries start no second scan.
   */
  readonly idempotencyKey?: string
}

/** Seconds of a Retry-After header (a number or a date); undefined without a valid one. */
export const retryAfterSeconds = (header: string | null | undefined, now = Date.now()): number | undefined => {
  if (header == null || header === "") return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const until = Date.parse(header)
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - now) / 1000))
}

/**
 * Milliseconds to wait before attempt `attempt` + 1, or null if there is to be none. Waits double from half a second to
 * 8 seconds with jitter, and are never shorter than the server asks for. `status` 0 = no response.
 */
export const retryWait = (
  status: number,
  retryAfter: number | undefined,
  { attempt, maxWaitMs = 60_000, retries = 4 }: {
    readonly attempt: number
    readonly retries?: number | undefined
    readonly maxWaitMs?: number | undefined
  },
  random: number = Math.random()
): number | null => {
  // 409: the first request with the same Idempotency-Key is still being worked on
  const temporary = status === 0 || status === 408 || status === 409 || status === 429 || status >= 500
  const requestedMs = (retryAfter ?? 0) * 1000
  if (!temporary || attempt > retries || requestedMs > maxWaitMs) return null
  return Math.max(requestedMs, Math.min(8000, 500 * 2 ** (attempt - 1)) * (0.5 + random / 2))
}

const checkBaseUrl = (baseUrl: string): string => {
  const url = URL.parse(baseUrl)
  if (url === null || !/^https?:$/.test(url.protocol)) throw new TypeError("baseUrl must be an http or https address")
  if (url.username !== "" || url.password !== "") throw new TypeError("baseUrl must not hold a user or password")
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`
}

const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const aborted = () => {
      clearTimeout(timer)
      reject(signal!.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", aborted)
      resolve()
    }, ms)
    if (signal?.aborted === true) aborted()
    else signal?.addEventListener("abort", aborted, { once: true })
  })

const isObject = (value: unknown): value is { readonly [member: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The problem in a response; made from the status if the body is not a problem, as a proxy may send it. */
const toSovProblem = (response: Response, body: unknown): SovProblem => {
  const { status, statusText } = response
  const problem = isObject(body) && typeof body["type"] === "string" && typeof body["title"] === "string" ? body : {
    title: response.ok
      ? "The answer is not one of a sov server; check the address"
      : status >= 300 && status < 400
      ? "The server redirects, and the key is not sent elsewhere; use the address that it names"
      : `The server answered ${`${status} ${statusText}`.trim()}`,
    type: "about:blank"
  }
  return new SovProblem({ ...problem, status } as Problem, retryAfterSeconds(response.headers.get("retry-after")))
}

/** The query of a request, from the values that are defined. */
export const formatQuery = (values: object): string => {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) params.set(name, String(value))
  return params.size === 0 ? "" : `?${params.toString()}`
}

/** A request, as the client's method describes it. */
export interface Sent<A> {
  readonly method?: "POST" | "PATCH" | "DELETE"
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Reads a successful response; undefined = the response does not come from a sov server. */
  readonly read: (response: Response) => Promise<A | undefined>
  /** The request is not idempotent, so it is sent only once. */
  readonly once?: true
}

/** Reads JSON with a member that every successful response has: without it, the server is not a sov server. */
export const readMember = <A>(member: keyof A & string) => async (response: Response): Promise<A | undefined> => {
  const body = parseJson(await response.text())
  return isObject(body) && Object.hasOwn(body, member) ? body as A : undefined
}

/**
 * Sends requests. Each retries temporary failures (no response, 408, 409, 429, 5xx) and rejects with SovProblem,
 * SovUnreachable, or the reason of its signal.
 */
export class Transport {
  readonly #base: string
  readonly #options: ClientOptions

  /** Throws TypeError for an invalid URL or key; the message never contains the key. */
  constructor(options: ClientOptions) {
    // Checked here, because the error of fetch would contain the header
    if (!/^[\x21-\x7e]+$/.test(options.apiKey)) throw new TypeError("apiKey must be printable ASCII without spaces")
    this.#base = checkBaseUrl(options.baseUrl)
    this.#options = options
  }

  /** `path` is below `/api/v1`. */
  async call<A>(path: string, sent: Sent<A>, { signal }: CallOptions): Promise<A> {
    const url = `${this.#base}/api/v1${path}`
    // Outside of the attempts: an invalid header is an error of the caller
    const headers = new Headers({ accept: "application/json", ...sent.headers })
    headers.set("authorization", `Bearer ${this.#options.apiKey}`)
    const body = sent.body === undefined ? null : JSON.stringify(sent.body)
    if (body !== null) headers.set("content-type", "application/json")
    const init = { method: sent.method ?? "GET", headers, body }
    for (let attempt = 1;; attempt++) {
      signal?.throwIfAborted()
      const outcome = await this.#attempt(url, init, sent.read, signal)
      if ("value" in outcome) return outcome.value
      const { error } = outcome
      const status = error instanceof SovProblem ? error.problem.status : 0
      const retryAfter = error instanceof SovProblem ? error.retryAfter : undefined
      const retries = sent.once === true ? 0 : this.#options.retries
      const waitMs = retryWait(status, retryAfter, { ...this.#options, retries, attempt })
      if (waitMs === null) throw error
      this.#options.onRetry?.({ attempt, waitMs, error })
      await wait(waitMs, signal)
    }
  }

  async #attempt<A>(
    url: string,
    init: RequestInit,
    read: Sent<A>["read"],
    signal: AbortSignal | undefined
  ): Promise<{ readonly value: A } | { readonly error: SovProblem | SovUnreachable }> {
    const { fetch: send = fetch, timeoutMs = 30_000 } = this.#options
    const deadline = AbortSignal.timeout(timeoutMs)
    try {
      const response = await send(url, {
        ...init,
        // The key goes to this server only
        redirect: "manual",
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline])
      })
      if (!response.ok) return { error: toSovProblem(response, parseJson(await response.text())) }
      const value = await read(response)
      return value === undefined ? { error: toSovProblem(response, undefined) } : { value }
    } catch (cause) {
      signal?.throwIfAborted()
      const why = deadline.aborted ? `no answer within ${timeoutMs / 1000} s` : "no connection"
      return { error: new SovUnreachable(`${new URL(url).origin} does not answer: ${why}`, { cause }) }
    }
  }
}
