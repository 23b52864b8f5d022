import { type ExitCode, exitCodes } from "./exitCodes.ts"

/**
 * An error for the person at the terminal: one line with the problem, one with the next step, an exit code, and a slug
 * for programs.
 */
export class CliError extends Error {
  readonly code: string
  readonly hint: string | undefined
  readonly exitCode: ExitCode

  constructor(code: string, exitCode: ExitCode, message: string, hint?: string) {
    super(message)
    this.code = code
    this.exitCode = exitCode
    this.hint = hint
  }
}

export const usageError = (message: string, hint?: string): CliError =>
  new CliError("invalid-usage", exitCodes.usage, message, hint)
