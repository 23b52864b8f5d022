/** One call of an adapter against a server that plays a script. */
import { Effect, Exit } from "effect"
import { makeFakePlatform, reply, type Script } from "../support/FakePlatform.ts"
import { platformFrom } from "./adapterCases.ts"

/** The outcome of the call, and the requests that the server received. */
export const ask = (adapter: string, script: Script, fields: object = {}, key = "some-key") =>
  Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    const fake = yield* makeFakePlatform(script)
    const exit = yield* Effect.exit(platformFrom(adapter, fake.baseUrl, fields, key).ask("Best anvil?"))
    return { exit, requests: [...fake.requests] }
  })))

export const answerTo = async (adapter: string, body: unknown, fields: object = {}, key?: string) => {
  const { exit } = await ask(adapter, reply(200, body), fields, key)
  if (Exit.isFailure(exit)) throw new Error(`no answer: ${JSON.stringify(exit)}`)
  return exit.value
}

export const errorOf = async (adapter: string, script: Script, fields: object = {}) =>
  Effect.runSync(Effect.flip((await ask(adapter, script, fields)).exit))
