import type { Queue, Slot, Slots } from "./runKind.ts"

/** Creates slots that are limited by three counts: all queues, the queue's organization, and the queue itself. */
export const makeCountedSlots = <Q extends Queue>(
  mayStart: (taken: { readonly all: number; readonly own: number; readonly queue: number }) => boolean
): Slots<Q, Slot> => {
  const taken: Array<Q> = []
  return {
    countFree: ({ id, organizationId }) => {
      const own = taken.filter((one) => one.organizationId === organizationId)
      const queue = own.filter((one) => one.id === id).length
      return mayStart({ all: taken.length, own: own.length, queue }) ? 1 : 0
    },
    take: (queue) => {
      taken.push(queue)
      let ended = false
      return {
        markEnded: () => {
          if (!ended) taken.splice(taken.indexOf(queue), 1)
          ended = true
        }
      }
    },
    findNextStart: () => Infinity
  }
}
