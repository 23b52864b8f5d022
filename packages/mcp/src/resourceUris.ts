/** URIs of resources. */

/** URI of an archived answer. `offset` is the character to start at, for answers that are read in parts. */
export const answerUri = (id: string, offset = 0): string =>
  `sov://archive/${id}${offset === 0 ? "" : `?offset=${offset}`}`
export const metricsUri = "sov://docs/metrics"
