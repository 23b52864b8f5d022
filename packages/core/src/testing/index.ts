/** @sov/core/testing: one contract suite for each port. Pass your test library's `describe` and `it`. */
export * from "./answerPlatformContract.ts"
