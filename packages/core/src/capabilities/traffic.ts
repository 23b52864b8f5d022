/** AI traffic in server logs. */

export * from "../domain/traffic/AiTraffic.ts"
export { type TrafficHit, type TrafficSignal } from "../domain/traffic/classify.ts"
export { type FieldNames, type LogField, logFields } from "../domain/traffic/logFields.ts"
export { type LogFormat, logFormats, type LogTally } from "../domain/traffic/LogReader.ts"
export {
  type Assistant,
  builtInSources,
  type CrawlerPurpose,
  crawlerPurposes,
  extendSources,
  TrafficSources
} from "../domain/traffic/TrafficSources.ts"

export * from "../ports/TrafficStore.ts"

export * from "../usecases/traffic/importTraffic.ts"
export * from "../usecases/traffic/readAiTraffic.ts"
