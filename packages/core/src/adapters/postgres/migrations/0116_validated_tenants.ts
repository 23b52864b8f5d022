/** The checks that migration 115 adds for new rows hold for earlier rows, too. */
import { Concurrent } from "./Concurrent.ts"

export default new Concurrent({
  checks: [["audit_entry", "audit_entry_actor_kind_check"], ["schedule_run", "schedule_run_reason_check"]]
})
