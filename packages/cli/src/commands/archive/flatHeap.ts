import { setFlagsFromString } from "node:v8"

/**
 * For commands that read row after row: what is old is collected when it has grown by half. V8 lets it grow fourfold
 * otherwise, a third of all memory, and nearly as fast.
 */
export const flatHeap = (): void => setFlagsFromString("--heap-growing-percent=50")
