/** Combines many small writes into few statements: writes that arrive while one runs are written together. */
import { Effect, Exit, Fiber, type Scope } from "effect"

/** A write of one item, and the statement that writes several. */
export interface GroupedWrites<Item, E> {
  /** Items of different groups go into different statements. */
  readonly groupOf: (item: Item) => string
  /** Returns whether the item was written. */
  readonly writeOne: (item: Item) => Effect.Effect<boolean, E>
  /** Writes all items, or nothing if it fails. Returns the items that were written; it may leave some out. */
  readonly writeMany: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlySet<Item>, E>
}

/**
 * How many items one statement may write. There are only a few sizes, because each size is another prepared statement
 * in every session.
 */
const sizes = [16, 8, 4, 2]
/** After this many milliseconds, waiting items no longer wait for the running statement. */
const slowMs = 200
/**
 * After this many milliseconds, a statement is given up and its items are written alone, because its session may be
 * stuck.
 */
const deadlineMs = 5_000
/** Maximum number of concurrent statements of one group; each has its own connection. */
const maxStatements = 3

/**
 * A waiting caller. It receives true when its item is written; otherwise it receives a callback to call after it has
 * written the item itself.
 */
interface Waiter<Item> {
  readonly item: Item
  readonly settle: (written: true | { readonly end: () => void }) => void
}

/** The writes of one group. */
class Line<Item> {
  /** The waiting callers in order of arrival. */
  readonly waiting = new Set<Waiter<Item>>()
  running = 0
  /** The number of running statements that are not yet slow. */
  quick = 0
}

const nothing = (): void => undefined

/**
 * Writes items in groups. If no write of its group is running, an item is written at once, alone. Items that arrive
 * while one runs are written by the next statement together. Each caller learns the result once it is committed. An
 * item that a statement leaves out, whose statement fails, or whose statement misses the deadline, is written alone: a
 * fault of one item fails no other. A statement for several items runs outside its callers, so it continues if one of
 * them gives up.
 */
export const groupWrites = <Item, E>(
  { groupOf, writeMany, writeOne }: GroupedWrites<Item, E>
): Effect.Effect<(item: Item) => Effect.Effect<boolean, E>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const run = Effect.runForkWith(yield* Effect.context())
    const lines = new Map<string, Line<Item>>()
    const running = new Set<Fiber.Fiber<unknown, E>>()
    yield* Effect.addFinalizer(() => Fiber.interruptAll(running))

    /**
     * Counts a statement as running until it ends or reaches `deadlineMs`, and lets other statements start beside it
     * once it is slow.
     */
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
        // The interruption is not awaited: cancelling a statement may take seconds when the server does not answer
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
