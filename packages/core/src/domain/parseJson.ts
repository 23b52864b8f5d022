import { Result } from "effect"

/** The place where a text stops being valid JSON; line and column start at 1. */
export interface JsonFault {
  readonly line: number
  readonly column: number
}

const unexpectedToken = /^SyntaxError: Unexpected token/

const hasUnexpectedToken = (text: string): boolean => {
  try {
    JSON.parse(text)
    return false
  } catch (error) {
    return unexpectedToken.test(String(error))
  }
}

/**
 * Finds the position of an error for which the engine reports no position: the end of the shortest beginning of `text`
 * that has the error.
 */
const findUnexpectedToken = (text: string): number => {
  let without = 0
  let within = text.length
  while (within - without > 1) {
    const middle = (without + within) >> 1
    if (hasUnexpectedToken(text.slice(0, middle))) within = middle
    else without = middle
  }
  return without
}

/** The position of a fault. If the engine reports no position, the text ends too early. */
const findFault = (text: string, error: unknown): number =>
  unexpectedToken.test(String(error))
    ? findUnexpectedToken(text)
    : Number(/at position (\d+)/.exec(String(error))?.[1] ?? text.length)

/**
 * Parses JSON; a byte order mark is allowed. The error contains only the position, because the engine's own message
 * quotes the text, which may contain a secret.
 */
export const parseJson = (text: string): Result.Result<unknown, JsonFault> => {
  const plain = text.replace(/^\uFEFF/, "")
  try {
    return Result.succeed(JSON.parse(plain) as unknown)
  } catch (error) {
    const lines = plain.slice(0, findFault(plain, error)).split("\n")
    return Result.fail({ line: lines.length, column: lines.at(-1)!.length + 1 })
  }
}

/** `not valid JSON at line 2, column 16` */
export const describeJsonFault = ({ column, line }: JsonFault): string =>
  `not valid JSON at line ${line}, column ${column}`
