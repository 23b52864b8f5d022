/** Validates the check of migration 131 for the rows that existed before it. */
import { Concurrent } from "./Concurrent.ts"

export default new Concurrent({ checks: [["answer", "answer_leaf_version_check"]] })
