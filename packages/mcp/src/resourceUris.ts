/** URIs of resources. */

/** URI of an archived answer. Long answers are read in parts; `offset` is the character at which a part starts. */
export const answerUri = (id: string, offset = 0): string =>
  `sov://archive/${id}${offset === 0 ? "" : `?offset=${offset}`}`
export const metricsUri = "sov://docs/metrics"
