/** `.env` of the working directory: it fills what the environment leaves open, and is remembered as the source. */
import { environment } from "./environment.ts"

const variablesFromFile = new Set<string>()

/** Loads the file when there is one. */
export const loadEnvFile = (): void => {
  const before = new Set(Object.keys(process.env))
  try {
    process.loadEnvFile()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
      process.stderr.write(`warning: .env cannot be read: ${(error as NodeJS.ErrnoException).code}\n`)
    }
  }
  for (const name of Object.keys(process.env)) if (!before.has(name)) variablesFromFile.add(name)
}

/**
 * Removes the variables of sov that are empty: they count as not set, wherever they are read. An empty one in the
 * environment outranks `.env` all the same.
 */
export const dropEmptyVariables = (env: { [name: string]: string | undefined }): void => {
  for (const { name } of environment) if (env[name] === "") delete env[name]
}

/** Whether a variable's value came from `.env`. */
export const isFromEnvFile = (name: string): boolean => variablesFromFile.has(name)
