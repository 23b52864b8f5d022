/** Validates the check of migration 170 for the rows that existed before it. */
import { Concurrent } from "./Concurrent.ts"

export default new Concurrent({ checks: [["event", "event_event_check"]] })
