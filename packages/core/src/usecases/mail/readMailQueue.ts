import { Duration, Effect } from "effect"
import { MailStore } from "../../ports/MailStore.ts"
import { now } from "../now.ts"

/** State of the e-mails of all organizations; failures of the last `within`. */
export const readMailQueue = Effect.fn("readMailQueue")(function*(within: Duration.Duration) {
  const since = new Date((yield* now).getTime() - Duration.toMillis(within))
  return yield* (yield* MailStore).queue(since)
})
