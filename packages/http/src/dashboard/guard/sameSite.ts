/** Whether a form was sent from a page of this server. */

/**
 * A browser says with `Sec-Fetch-Site` whether a page of the same origin sent the request. Over plain http (but on this
 * machine) it does not: then `Origin` has to be scheme and host of the server, which are those of `publicUrl`; without
 * one, of http and the address that was asked. What says neither is refused.
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
