/** Validates the checks of migrations 27, 39 and 47 for the rows that existed before them. */
import { Concurrent } from "./Concurrent.ts"

export default new Concurrent({
  checks: [
    ["answer", "answer_payload_sha256_check"],
    ["answer", "answer_search_check"],
    ["answer", "answer_leaf_version_check"],
    ["answer", "answer_check"],
    ["event", "event_event_check"]
  ]
})
