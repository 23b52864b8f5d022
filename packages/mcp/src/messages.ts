/** Reads the parts of a JSON-RPC body that the rate limit needs. The protocol library validates the body. */

/** Maximum number of messages in one batch. */
export const maxBatchSize = 20

const isRequest = (message: unknown): boolean =>
  typeof message === "object" && message !== null && "method" in message && "id" in message

/** Number of messages that expect a response. */
export const countRequests = (body: unknown): number =>
  Array.isArray(body) ? body.filter(isRequest).length : isRequest(body) ? 1 : 0

const isNotification = (message: unknown): boolean =>
  typeof message === "object" && message !== null && "method" in message && !("id" in message)

/**
 * The batch without its notifications, if it contains requests. Notifications have no effect, because no state is kept
 * between requests. But if one cancelled a request of the same batch, the batch would wait forever for a response.
 */
export const removeNotifications = (body: unknown): unknown =>
  Array.isArray(body) && countRequests(body) > 0 ? body.filter((message) => !isNotification(message)) : body

/** Id of a single request; null for a batch or a body without a request. */
export const findRequestId = (body: unknown): string | number | null => {
  if (Array.isArray(body) || !isRequest(body)) return null
  const { id } = body as { readonly id: unknown }
  return typeof id === "string" || typeof id === "number" ? id : null
}

/** Whether a request asks for progress notifications. */
export const asksForProgress = (body: unknown): boolean =>
  [body].flat().some((message) => {
    const { params } = (message ?? {}) as {
      readonly params?: { readonly _meta?: { readonly progressToken?: unknown } }
    }
    return params?._meta?.progressToken !== undefined
  })
