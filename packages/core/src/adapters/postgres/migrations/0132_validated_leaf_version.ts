/** The check that migration 131 adds for new rows holds for earlier rows, too. */
import { Concurrent } from "./Concurrent.ts"

export default new Concurrent({ checks: [["answer", "answer_leaf_version_check"]] })
