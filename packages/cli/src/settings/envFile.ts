/**
 * `.env` in the working directory. It sets variables that the environment does not set, and is recorded as their
 * source.
 */
import { environment } from "./environment.ts"

const variablesFromFile = new Set<string>()

/** Loads the file if it exists. */
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
 * Removes sov's variables that are empty, because an empty variable counts as not set. An empty variable in the
 * environment still takes precedence over `.env`.
 */
export const dropEmptyVariables = (env: { [name: string]: string | undefined }): void => {
  for (const { name } of environment) if (env[name] === "") delete env[name]
}

/** Whether a variable's value came from `.env`. */
export const isFromEnvFile = (name: string): boolean => variablesFromFile.has(name)
