/** Code that all capabilities share: ids, cursors, dates, wording, errors, the clock and the database as a whole. */

export { withoutCredentials } from "../domain/credentials.ts"
export * from "../domain/Cursor.ts"
export * from "../domain/dateBound.ts"
export * from "../domain/formats.ts"
/** The earlier name. */
export { defaultPlace as housePlace } from "../domain/formats.ts"
export * from "../domain/glossary.ts"
export * from "../domain/ids.ts"
export * from "../domain/isLoopback.ts"
export * from "../domain/pageSizes.ts"
export { describeJsonFault, parseJson } from "../domain/parseJson.ts"
export * from "../domain/randomToken.ts"
export { isSimulatedSource, simulatedMark } from "../domain/simulatedSource.ts"
export { brandedOnlyNote, pluralized } from "../domain/wording.ts"

export { csvLine, type CsvSeparator, csvSeparators } from "../json/csv.ts"

export * from "../ports/InstanceStore.ts"
export * from "../ports/PublicUrl.ts"
export type * from "../ports/StoragePorts.ts"
export * from "../ports/StoreError.ts"
export * from "../ports/Transaction.ts"

export * from "../usecases/checkDatabase.ts"
export * from "../usecases/editUnchanged.ts"
export * from "../usecases/errors.ts"
export { monotonicMs } from "../usecases/now.ts"
export * from "../usecases/openCursor.ts"
export { shiftedClock } from "../usecases/shiftedClock.ts"
