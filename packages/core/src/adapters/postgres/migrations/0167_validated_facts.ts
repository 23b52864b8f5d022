/** The check that migration 166 adds for new rows holds for earlier rows, too. */
import { Concurrent } from "./Concurrent.ts"

export default new Concurrent({ checks: [["event", "event_event_check"]] })
