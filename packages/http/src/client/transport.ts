/** Sends the requests of the `fetch` clients: API key, timeouts, retries and errors. */

/** An error in a request: the field, and what is expected there. */
export interface Fault {
  readonly path: ReadonlyArray<string | number>
  readonly message: string
}

/** A problem (RFC 9457). The type determines which other members it has. */
export interface Problem {
  /** Stable identifier of the error type, e.g. `/problems/scan-quota-exhausted`. */
  readonly type: string
  readonly status: number
  readonly title: string
  readonly detail?: string
  readonly request_id?: string
  /** The invalid fields of the request. */
  readonly errors?: ReadonlyArray<Fault>
  readonly [member: string]: unknown
}

/** The invalid fields that a problem lists; empty if `errors` has an unknown form. */
export const faultsIn = ({ errors }: Problem): ReadonlyArray<Fault> =>
  Array.isArray(errors) && errors.every((one) => Array.isArray((one as Fault | null)?.path))
    ? errors as ReadonlyArray<Fault>
    : []

/** The server refused the request, or the response does not come from a sov server. */
export class SovProblem extends Error {
  override readonly name = "SovProblem"
  /**
   * The problem as the server sent it. If the body is not a problem, a problem with `type` `about:blank` is created
   * from the status.
   */
  readonly problem: Problem
  /** Seconds to wait before trying again, if the server says so. */
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
  /** Number of attempts made until now. */
  readonly attempt: number
  readonly waitMs: number
  readonly error: SovProblem | SovUnreachable
}

export interface ClientOptions {
  /** Address of the server, e.g. `https://sov.example.com`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Number of retries after the first attempt; default 4, 0 = no retries. */
  readonly retries?: number
  /** Longest wait in milliseconds. If the server asks for a longer wait, the call fails immediately. Default 60,000. */
  readonly maxWaitMs?: number
  /** Timeout of one attempt in milliseconds; default 30,000. */
  readonly timeoutMs?: number
  /** Called before each wait for a retry. */
  readonly onRetry?: (retry: Retry) => void
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof fetch
}

export interface CallOptions {
  /** Aborts the call, including its waits and retries; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

export interface StartOptions extends CallOptions {
  /**
   * 1 to 255 printable ASCII characters. Requests with the same key start only one scan within 24 hours, and create
   * only one organization at any time. Default: a random key for each call, so that its retries start no second scan.
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
 * Milliseconds to wait before the next attempt, or null to stop retrying. Waits double from half a second to 8 seconds
 * with jitter, and are never shorter than the server asks for. `status` 0 = no response.
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
  // 409: the first request with the same Idempotency-Key is still being processed
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

/**
 * The problem in a response; created from the status if the body is not a problem, for example because a proxy sent it.
 */
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

/** The query string of a request, from the values that are defined. */
export const formatQuery = (values: object): string => {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) params.set(name, String(value))
  return params.size === 0 ? "" : `?${params.toString()}`
}

/** A request, as one method of a client describes it. */
export interface Sent<A> {
  readonly method?: "POST" | "PATCH" | "DELETE"
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Reads a successful response; undefined = the response does not come from a sov server. */
  readonly read: (response: Response) => Promise<A | undefined>
  /** The request is not idempotent, so it is sent only once. */
  readonly once?: true
}

/** Reads JSON that must contain this member, because every successful response of a sov server does. */
export const readMember = <A>(member: keyof A & string) => async (response: Response): Promise<A | undefined> => {
  const body = parseJson(await response.text())
  return isObject(body) && Object.hasOwn(body, member) ? body as A : undefined
}

/**
 * Sends the requests of a client. Retries temporary failures (no response, 408, 409, 429, 5xx) and rejects with
 * SovProblem, SovUnreachable, or the reason of the signal.
 */
export class Transport {
  readonly #base: string
  readonly #options: ClientOptions

  /** Throws TypeError for an invalid URL or key; the message never contains the key. */
  constructor(options: ClientOptions) {
    // Checked here because the error message of fetch would contain the key
    if (!/^[\x21-\x7e]+$/.test(options.apiKey)) throw new TypeError("apiKey must be printable ASCII without spaces")
    this.#base = checkBaseUrl(options.baseUrl)
    this.#options = options
  }

  /** Sends a request; `path` is relative to `/api/v1`. */
  async call<A>(path: string, sent: Sent<A>, { signal }: CallOptions): Promise<A> {
    const url = `${this.#base}/api/v1${path}`
    // Built before the attempts: an invalid header is an error of the caller and is not retried
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
        // Redirects are not followed, so that the key goes only to this server
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
