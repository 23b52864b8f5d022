/** Many small writes as few statements: what waits meanwhile is written together. */
import { Effect, Exit, Fiber, type Scope } from "effect"

/** A write of one item, and the statement that writes several of them. */
export interface GroupedWrites<Item, E> {
  /** Items of different groups are written by different statements. */
  readonly groupOf: (item: Item) => string
  /** Whether it was written. */
  readonly writeOne: (item: Item) => Effect.Effect<boolean, E>
  /** Writes all of them or, where it fails, nothing. Gives those that were written; it may leave some out. */
  readonly writeMany: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlySet<Item>, E>
}

/** Items of one statement: few sizes, because each is another statement that a session keeps prepared. */
const sizes = [16, 8, 4, 2]
/** Milliseconds after which those who wait no longer wait for the statement before them. */
const slowMs = 200
/** Milliseconds after which a statement counts no more, and its items are written alone: its session may be stuck. */
const deadlineMs = 5_000
/** Statements of one group at the same time: each has a connection. */
const maxStatements = 3

/** One who waits: told true when the item is written, and otherwise to write it alone, with what to call at its end. */
interface Waiter<Item> {
  readonly item: Item
  readonly settle: (written: true | { readonly end: () => void }) => void
}

/** The writes of one group. */
class Line<Item> {
  /** In the order in which they came. */
  readonly waiting = new Set<Waiter<Item>>()
  running = 0
  /** Statements whose result a caller still awaits. */
  quick = 0
}

const nothing = (): void => undefined

/**
 * Writes items in groups. A write while none of its group runs begins at once, alone; those that come while one runs
 * wait for its end, and are written by the next statement together. Each is told what became of it once that is
 * committed, and no earlier. One that a statement of several leaves out, or whose statement fails, is written alone:
 * what is wrong with one item is no other's failure. One whose statement has not ended in time is written alone too. A
 * statement of several runs outside its callers, so it goes on where one of them gives up.
 */
export const groupWrites = <Item, E>(
  { groupOf, writeMany, writeOne }: GroupedWrites<Item, E>
): Effect.Effect<(item: Item) => Effect.Effect<boolean, E>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const run = Effect.runForkWith(yield* Effect.context())
    const lines = new Map<string, Line<Item>>()
    const running = new Set<Fiber.Fiber<unknown, E>>()
    yield* Effect.addFinalizer(() => Fiber.interruptAll(running))

    /** Counts a statement until its end or `deadlineMs`, and lets others begin without it once it is slow. */
    const countStatement = (name: string, line: Line<Item>, onLate: () => void): () => void => {
      line.running++
      line.quick++
      let isQuick = true
      const stopWaiting = () => {
        if (isQuick) line.quick--
        isQuick = false
      }
      let isCounted = true
      const end = () => {
        if (!isCounted) return
        isCounted = false
        timer.interruptUnsafe()
        stopWaiting()
        line.running--
        begin(name, line)
      }
      const timer = run(Effect.gen(function*() {
        yield* Effect.sleep(slowMs)
        stopWaiting()
        begin(name, line)
        yield* Effect.sleep(deadlineMs - slowMs)
        onLate()
        end()
      }))
      return end
    }

    const begin = (name: string, line: Line<Item>): void => {
      if (line.running === 0 && line.waiting.size === 0) lines.delete(name)
      if (line.quick > 0 || line.running >= maxStatements || line.waiting.size === 0) return
      const group = [...line.waiting].slice(0, sizes.find((size) => size <= line.waiting.size) ?? 1)
      for (const waiter of group) line.waiting.delete(waiter)
      const [first] = group
      if (group.length === 1) return first!.settle({ end: countStatement(name, line, nothing) })
      const end = countStatement(name, line, () => {
        // Not awaited: cancelling a statement may take seconds when the server does not answer
        fiber.interruptUnsafe()
        for (const { settle } of group) settle({ end: nothing })
      })
      const fiber = run(writeMany(group.map(({ item }) => item)))
      running.add(fiber)
      fiber.addObserver((exit) => {
        running.delete(fiber)
        end()
        for (const { item, settle } of group) {
          settle(Exit.isSuccess(exit) && exit.value.has(item) ? true : { end: nothing })
        }
      })
    }

    return (item) =>
      Effect.suspend(() => {
        let end = nothing
        return Effect.callback<boolean>((resume) => {
          const name = groupOf(item)
          const line = lines.get(name) ?? new Line<Item>()
          lines.set(name, line)
          const waiter: Waiter<Item> = {
            item,
            settle: (written) => {
              if (written !== true) end = written.end
              resume(Effect.succeed(written === true))
            }
          }
          line.waiting.add(waiter)
          begin(name, line)
          return Effect.sync(() => {
            line.waiting.delete(waiter)
          })
        }).pipe(
          Effect.flatMap((written) => written ? Effect.succeed(true) : writeOne(item)),
          Effect.ensuring(Effect.sync(() => end()))
        )
      })
  })
