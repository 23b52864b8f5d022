import { Result } from "effect"

/** Where a text stops being JSON, for people: both count from 1. */
export interface JsonFault {
  readonly line: number
  readonly column: number
}

/**
 * Parses JSON; a byte order mark is allowed. The fault is the place alone: the engine's own message quotes the text, which may
 * hold a secret.
 */
export const parseJson = (text: string): Result.Result<unknown, JsonFault> => {
  const plain = text.replace(/^\uFEFF/, "")
  try {
    return Result.succeed(JSON.parse(plain) as unknown)
  } catch (error) {
    // Without a position, the text ends too early
    const position = /at position (\d+)/.exec(String(error))?.[1]
    const lines = plain.slice(0, Number(position ?? plain.length)).split("\n")
    return Result.fail({ line: lines.length, column: lines.at(-1)!.length + 1 })
  }
}

/** `not valid JSON at line 2, column 16` */
export const describeJsonFault = ({ column, line }: JsonFault): string =>
  `not valid JSON at line ${line}, column ${column}`
