/** sov db reencrypt: encrypts secrets with the newest key. */
import { reencryptSecrets } from "@sov/core/webhooks"
import { Effect } from "effect"
import { exitCodes } from "../../exitCodes.ts"
import { makeRowProgress } from "../../output/rowProgress.ts"
import { pluralizeGrouped } from "../../render/counted.ts"
import { runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

/** Re-encrypts the secrets. Exits with 7 if any secret cannot be decrypted with the keys. */
export const reencrypt = (options: GlobalOptions & { readonly dryRun?: boolean }) =>
  runCommand(options, { repeatable: true }, function*({ out }) {
    const dryRun = options.dryRun === true
    const progress = makeRowProgress(out, "Encrypting", null, "endpoints")
    const { changed, key, unchanged, unreadable } = yield* reencryptSecrets({
      dryRun,
      onEndpoint: Effect.sync(() => progress.add(1))
    }).pipe(Effect.ensuring(Effect.sync(() => progress.clear())))
    out.result(
      {
        key,
        dry_run: dryRun,
        changed,
        unchanged,
        unreadable: unreadable.map(({ endpointId, message, organizationId }) => ({
          organization_id: organizationId,
          webhook_id: endpointId,
          message
        }))
      },
      () =>
        [
          `${dryRun ? "Would encrypt" : "Encrypted"} the secrets of ${
            pluralizeGrouped(changed, "webhook endpoint")
          } with the key ${key}; ${unchanged} had it already.`,
          ...unreadable.map(({ message }) => message)
        ].join("\n")
    )
    if (unreadable.length > 0) return exitCodes.checkFailed
    if (!dryRun) out.note("Other keys are needed for older backups only: keep them as long as those.")
    return exitCodes.ok
  })
