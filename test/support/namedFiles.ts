import { parseCLI } from "vitest/node"

/**
 * Whether the arguments of a vitest command name test files, as in `npm test -- cli/output`. Uses vitest's own parser,
 * because it knows which options have a value: `-t output` and `--shard 1/2` name no files.
 */
export const namesFiles = (args: ReadonlyArray<string>): boolean => {
  const { filter, options } = parseCLI(["vitest", ...args], { allowUnknownOptions: true })
  return filter.length > 0 || options.related !== undefined
}
