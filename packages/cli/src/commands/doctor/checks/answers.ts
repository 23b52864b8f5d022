/**
 * Checks that the configured platforms answer, in the shape that their adapters promise. Asks each one question, only
 * with --online.
 */
import { namePlatform, probePlatform, probeQuestion } from "@sov/core/platforms"
import { Effect } from "effect"
import { CliError } from "../../../CliError.ts"
import { buildPlatforms, findForeignKey } from "../../../runtime.ts"
import { callFault, findProbeFault } from "../../platform/testPlatform.ts"
import { type Check, fail, ok, skipped, warn } from "./Check.ts"

export const answers: Check = {
  name: "answers",
  run: ({ config, env, online, options }) =>
    Effect.gen(function*() {
      if (!online) return skipped("no platform is asked", "sov doctor --online asks each one question")
      if (config === null || config.decoded instanceof CliError) return skipped("no usable configuration")
      const foreign = findForeignKey(options, config.decoded)
      if (foreign !== null) return fail(foreign.message, foreign.hint ?? "name the file with --config")
      const platforms = buildPlatforms(config.decoded, config.file, env)
      if (platforms instanceof CliError) return skipped("the platforms cannot be asked", "see the check `api-keys`")
      const faults = (yield* Effect.forEach(
        platforms,
        (platform) =>
          Effect.match(probePlatform(platform, probeQuestion), {
            onFailure: (error) => callFault(platform, error),
            onSuccess: ({ answer, missing }) =>
              findProbeFault(
                platform,
                { missing, announced_end: answer.announcedEnd ?? null, ends_on: answer.endsOn ?? null },
                new Date()
              )
          }),
        { concurrency: "unbounded" }
      )).filter((fault) => fault !== null)
      const [first] = faults
      if (first === undefined) {
        return platforms.length === 0
          ? skipped("no platform is configured")
          : ok(platforms.map(namePlatform).join(", "))
      }
      const message = faults.map((fault) => fault.message).join("; ")
      const fix = first.hint ?? "sov platform test --all says more"
      return faults.every(({ code }) => code === "platform-ending" || code === "platform-changed")
        ? warn(message, fix)
        : fail(message, fix)
    })
}
