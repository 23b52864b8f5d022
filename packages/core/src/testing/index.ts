/**
 * @sov/core/testing: the contract suite of AnswerPlatform, for adapters of one's own, and seeds for tests over the
 * stores. The suite is given the test library's `describe` and `it`.
 */
export { newId } from "../usecases/newId.ts"
export * from "./answerPlatformContract.ts"
export * from "./seeds.ts"
