/** @sov/core/contract: the words that the API's contract takes of the domain, without all that works with them. */
export type { ArchiveParameter } from "./domain/archive/ArchiveFilters.ts"
export { dateBound } from "./domain/dateBound.ts"
export { uuidInAnyCase } from "./domain/ids.ts"
export { maxRowsPage, maxScansPage } from "./domain/pageSizes.ts"
export { platformIds } from "./domain/platforms/Platform.ts"
export { maxStartKeywords, maxStartTags } from "./domain/scanning/startRequest.ts"
export { maxAnnotationText } from "./domain/scoring/Annotation.ts"
export { maxTagFilterLength } from "./domain/tracking/Tag.ts"
