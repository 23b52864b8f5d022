/** URIs of resources. */

/** An archived answer, from `offset` (characters) on if it is read in parts. */
export const answerUri = (id: string, offset = 0): string =>
  `sov://archive/${id}${offset === 0 ? "" : `?offset=${offset}`}`
export const metricsUri = "sov://docs/metrics"
