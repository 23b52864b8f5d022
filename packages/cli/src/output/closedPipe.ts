import { exitCodes } from "../exitCodes.ts"

/** Exits with 0 when the reader of our output has gone: `sov archive list | head -1` is no error. */
export const surviveClosedPipe = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      process.exit(error.code === "EPIPE" ? exitCodes.ok : exitCodes.unexpected)
    })
  }
}
