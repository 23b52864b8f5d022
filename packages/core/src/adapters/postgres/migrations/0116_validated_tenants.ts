/** Validates the checks of migration 115 for the rows that existed before it. */
import { Concurrent } from "./Concurrent.ts"

export default new Concurrent({
  checks: [["audit_entry", "audit_entry_actor_kind_check"], ["schedule_run", "schedule_run_reason_check"]]
})
