import { setFlagsFromString } from "node:v8"

/**
 * Makes V8 collect garbage once the heap has grown by half, for commands that stream rows. By default V8 lets it grow
 * fourfold; this saves a third of all memory at almost the same speed.
 */
export const flatHeap = (): void => setFlagsFromString("--heap-growing-percent=50")
