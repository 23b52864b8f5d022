/** Splits the examples in help texts into command lines as a person types them. */

/** The `sov` commands in a line, each as a list of words: quotes are removed, pipes and redirections are left out. */
export const commandLines = (line: string): ReadonlyArray<ReadonlyArray<string>> =>
  [...line.matchAll(/\bsov (?:"[^"]*"|[^"|<>()&])*/g)].map(([command]) =>
    [...command.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!)
  )
