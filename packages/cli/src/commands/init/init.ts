/** sov init: creates an organization with its tracked set, and a configuration file if it is missing. */
import { pluralized } from "@sov/core/common"
import { offeredSpellings } from "@sov/core/measuring"
import { checkTracking, initialize, listOrganizations, Name, organizationJson, PlanId } from "@sov/core/organizations"
import {
  addCommand,
  isReadyProvider,
  makeEntry,
  offeredProviders,
  platformIds,
  providerNames,
  providers
} from "@sov/core/platforms"
import { entityJson, findTagged, keywordJson, type TrackingFile } from "@sov/core/tracking"
import { Effect } from "effect"
import { existsSync, writeFileSync } from "node:fs"
import { usageError } from "../../CliError.ts"
import { describeError } from "../../describeError.ts"
import { confirm } from "../../input/confirm.ts"
import { decodeInput } from "../../input/decodeInput.ts"
import { canPrompt, prompt } from "../../input/prompt.ts"
import { decodeTracking, makeTracking, readTrackingFile, type TrackingOptions } from "../../input/trackingInput.ts"
import { commandName } from "../../output/commandName.ts"
import type { Output } from "../../output/Output.ts"
import { runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { offerText } from "../brand/namesPreview.ts"
import { noteBranded } from "../keyword/keyword.ts"

interface InitOptions extends GlobalOptions, TrackingOptions {
  readonly name?: string
  readonly plan: string
}

/** Asks for the values that the flags left out. */
const askTracking = (options: InitOptions): Promise<unknown> =>
  prompt(async (ask) => {
    const list = async (question: string) =>
      (await ask(question)).split(",").map((part) => part.trim()).filter((part) => part !== "")
    const name = options.brand ?? (await ask("Brand to track: ")).trim()
    const aliases = options.alias ?? await list("Other names of it (comma-separated, may be empty): ")
    const competitors = options.competitor ?? await list("Competitors (comma-separated, may be empty): ")
    const keywords: Array<string> = [...options.keyword ?? []]
    while (keywords.length === 0 || options.keyword === undefined) {
      const text = (await ask(`Question ${keywords.length + 1} that buyers ask (empty = done): `)).trim()
      if (text === "") break
      keywords.push(text)
    }
    return makeTracking(name, { ...options, alias: aliases, competitor: competitors, keyword: keywords })
  })

const readTracking = (options: InitOptions): unknown => {
  if (options.from !== undefined) return readTrackingFile(options.from)
  const canAsk = canPrompt(options)
  if (options.brand !== undefined && (options.keyword !== undefined || !canAsk)) {
    return makeTracking(options.brand, options)
  }
  if (canAsk) return askTracking(options)
  throw usageError("what should be tracked?", "give --from FILE, or --brand NAME with --keyword TEXT …")
}

/**
 * If there is no configuration, writes one for every provider whose key is set (or for the first provider) and notes
 * it.
 */
const writeConfig = (out: Output, file: string): void => {
  if (existsSync(file)) return
  const set = offeredProviders.filter((name) => (process.env[providers[name].key] ?? "") !== "")
  const present = set.filter(isReadyProvider)
  const incomplete = set.filter((name) => !isReadyProvider(name))
  for (const name of incomplete) out.note(`${providers[name].key} is set: ${addCommand(name)} adds that platform.`)
  if (present.length === 0 && incomplete.length > 0) return
  const ready = providerNames.filter(isReadyProvider)
  const names = (present.length === 0 ? ready.slice(0, 1) : present).slice(0, platformIds.length)
  const platforms = Object.fromEntries(
    names.map((name, i) => [platformIds[i], makeEntry(name)])
  )
  try {
    writeFileSync(file, `${JSON.stringify({ platforms, scan: { samples: 1 } }, null, 2)}\n`, { flag: "wx" })
    const next = present.length === 0
      ? `Set ${providers[names[0]!].key}, or edit it.`
      : names.length < present.length
      ? `Five platforms at most: ${present.slice(names.length).join(", ")} are left out.`
      : "Edit it to change models; sov platform add adds more."
    out.note(`Wrote ${file}: ${names.join(", ")}. ${next}`)
  } catch (error) {
    out.note(`note: ${file} could not be written (${(error as NodeJS.ErrnoException).code})`)
  }
}

/**
 * Asks before a second organization is created, because every command then needs `--org`. A name that already exists is
 * refused elsewhere.
 */
const confirmAnother = Effect.fnUntraced(function*(out: Output, name: string) {
  const all = yield* listOrganizations()
  const [first] = all
  if (first === undefined || all.some((one) => one.name === name)) return
  const edit = "sov brand, sov competitor and sov keyword change what it tracks"
  yield* confirm(out, `${first.name} is set up here (${edit}). Add ${name}? Every command then needs --org.`)
})

export const init = async (options: InitOptions): Promise<void> => {
  let tracked: TrackingFile | undefined
  const prepare = Effect.tryPromise({
    try: async () => {
      tracked ??= decodeTracking(await readTracking(options), options.from)
      return tracked
    },
    catch: describeError
  }).pipe(
    Effect.tap((file) => Effect.mapError(checkTracking(file), describeError)),
    Effect.flatMap((file) =>
      Effect.all({
        file: Effect.succeed(file),
        name: decodeInput(Name, options.name ?? file.brand.name, "--name"),
        plan: decodeInput(PlanId, options.plan as PlanId, "--plan")
      })
    )
  )
  await runCommand(options, { create: true, before: prepare }, function*({ out }) {
    const { file, name, plan } = yield* prepare
    yield* confirmAnother(out, name)
    const result = yield* initialize({ name, plan, tracking: file })
    writeConfig(out, options.config)
    const sov = commandName()
    const branded = new Set(yield* findTagged(result.organization.id, "branded"))
    const asksNothing = result.keywords.length === 0
    out.result({
      organization: organizationJson(result.organization),
      brand: entityJson(result.brand),
      competitors: result.competitors.map(entityJson),
      keywords: result.keywords.map(keywordJson)
    }, () =>
      [
        `Set up ${result.organization.name} (--org ${result.organization.slug}):`,
        `tracking ${result.brand.name} against ${pluralized(result.competitors.length, "competitor")} in ${
          pluralized(result.keywords.length, "keyword")
        }.`,
        `Next: ${asksNothing ? `${sov} keyword add "…" with a question that buyers ask, then ` : ""}` +
        `${sov} platform test assistant_a, then ${sov} scan --dry-run, then ${sov} scan`
      ].join("\n"))
    noteBranded(out, result.keywords.filter(({ id }) => branded.has(id)))
    for (const entity of [result.brand, ...result.competitors]) {
      const offers = offeredSpellings(entity).map(({ text }) => ({ text, answers: 0 }))
      for (const line of offerText(entity.name, offers)) out.note(line)
    }
  })
}
