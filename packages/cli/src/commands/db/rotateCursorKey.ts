/** sov db rotate-cursor-key */
import { rotateCursorKey } from "@sov/core/access"
import { runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

export const rotate = (options: GlobalOptions & { readonly immediate?: boolean }) =>
  runCommand(options, {}, function*({ out }) {
    const immediate = options.immediate === true
    yield* rotateCursorKey({ immediate })
    out.result(
      { rotated: true, immediate },
      () =>
        immediate
          ? "Cursors are signed with a new key; earlier ones end within a minute on every process."
          : "Cursors are signed with a new key; earlier ones stay good for 24 hours."
    )
  })
