/** Reads the parts of a JSON-RPC body that the limits need. The protocol library validates the body. */

/** Maximum messages in one batch. */
export const maxBatchSize = 20

const isRequest = (message: unknown): boolean =>
  typeof message === "object" && message !== null && "method" in message && "id" in message

/** Number of messages that expect a response. */
export const countRequests = (body: unknown): number =>
  Array.isArray(body) ? body.filter(isRequest).length : isRequest(body) ? 1 : 0

const isNotification = (message: unknown): boolean =>
  typeof message === "object" && message !== null && "method" in message && !("id" in message)

/**
 * A batch with requests, without its notifications. Because there is no state between requests, notifications have no
 * effect. If one cancelled a request of the same batch, the batch would wait for a response that never comes.
 */
export const removeNotifications = (body: unknown): unknown =>
  Array.isArray(body) && countRequests(body) > 0 ? body.filter((message) => !isNotification(message)) : body

/** Id of a single request; null for a batch or if there is no request. */
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
