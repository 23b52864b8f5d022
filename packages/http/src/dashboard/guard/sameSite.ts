/** Checks whether a form was sent from a page of this server. */

/**
 * Browsers state in `Sec-Fetch-Site` whether a page of the same origin sent the request. Over plain http they omit this
 * header, except for this machine; then `Origin` must be `publicUrl` or, if that is not set, http with the requested
 * host. A request with neither header is refused.
 */
export const isSameSite = (
  headers: Readonly<Record<string, string | undefined>>,
  publicUrl: string | undefined
): boolean => {
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site === "same-origin"
  const { host, origin } = headers
  if (origin === undefined) return false
  const own = publicUrl ?? (host === undefined ? undefined : `http://${host}`)
  return own !== undefined && origin === URL.parse(own)?.origin
}
