/** Checks that migrations 27, 39 and 47 add for new rows hold for earlier rows, too. */
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
