/**
 * @sov/core/testing: the contract suite of AnswerPlatform, for your own adapters, and seeds for tests of the stores.
 * The suite accepts the test library's `describe` and `it`.
 */
export { makeMemory } from "../usecases/makeMemory.ts"
export { newId } from "../usecases/newId.ts"
export * from "./answerPlatformContract.ts"
export * from "./seeds.ts"
