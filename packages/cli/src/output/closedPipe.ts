import { exitCodes } from "../exitCodes.ts"

/** Exits with 0 if the reader of the output closes it: `sov archive list | head -1` is not an error. */
export const surviveClosedPipe = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      process.exit(error.code === "EPIPE" ? exitCodes.ok : exitCodes.unexpected)
    })
  }
}
