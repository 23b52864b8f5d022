/** What a body of JSON-RPC holds, as far as limits need to know it; the protocol library checks it in earnest. */

/** Messages in one body. */
export const mostInBatch = 20

const isRequest = (message: unknown): boolean =>
  typeof message === "object" && message !== null && "method" in message && "id" in message

/** How many of its messages ask for an answer. */
export const requestsIn = (body: unknown): number =>
  Array.isArray(body) ? body.filter(isRequest).length : isRequest(body) ? 1 : 0

const isNotification = (message: unknown): boolean =>
  typeof message === "object" && message !== null && "method" in message && !("id" in message)

/**
 * A batch of requests without its notifications. None of them does anything where nothing is kept between requests; one
 * that cancels a request beside it would leave that without the answer that the whole batch waits for.
 */
export const withoutNotifications = (body: unknown): unknown =>
  Array.isArray(body) && requestsIn(body) > 0 ? body.filter((message) => !isNotification(message)) : body

/** Id of the only request; null when there is none, or a batch. */
export const requestId = (body: unknown): string | number | null => {
  if (Array.isArray(body) || !isRequest(body)) return null
  const { id } = body as { readonly id: unknown }
  return typeof id === "string" || typeof id === "number" ? id : null
}

/** Whether a request asks to be told of its progress. */
export const asksForProgress = (body: unknown): boolean =>
  [body].flat().some((message) => {
    const { params } = (message ?? {}) as {
      readonly params?: { readonly _meta?: { readonly progressToken?: unknown } }
    }
    return params?._meta?.progressToken !== undefined
  })
