/**
 * The dashboard shows Free organizations seven days of history, so it must read through use cases that take a window as
 * an argument. Use cases that read history without a window are for the API, whose plans see everything, and for the
 * command, whose operator sees everything.
 */
import * as core from "@sov/core"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { root } from "./plantedTree.ts"

/**
 * Use cases without a window, each with what the dashboard uses instead. A use case that reads one scan may be called
 * after findShownScan has allowed that scan.
 */
const unwindowed = {
  countAnswers: "readArchive",
  findScan: "findShownScan",
  listScans: "listScanRows",
  readAnswerOrigin: "readAnswerDetail",
  readAnswerSources: "readAnswerDetail",
  readArchiveStats: "readArchive",
  readCitedDomains: "readSources",
  readCurrentScore: "readOverview",
  readScan: "readScanDetail",
  readScoreHistory: "readOverview",
  readVisibility: "readOverview",
  scansInTrend: "readOverview"
} as const

const namesImported = (code: string): ReadonlyArray<string> =>
  [...code.matchAll(/import (?!type)\{([^}]*)\} from "@sov\/core\/\w+"/g)]
    .flatMap(([, names]) => names!.split(","))
    .map((name) => name.trim().split(" as ")[0]!)

it("the list of use cases without a history window names only existing use cases", () => {
  for (const [name, instead] of Object.entries(unwindowed)) {
    expect([typeof Reflect.get(core, name), typeof Reflect.get(core, instead)]).toEqual(["function", "function"])
  }
})

/** Use cases that the dashboard may call without a window, each with the reason. All others must take a window. */
const withoutWindow: Readonly<Record<string, string>> = {
  countFailedDeliveries: "deliveries of the days that the form names, which readDeliveryLog has shown",
  countNaming: "of the scan of a score that readOverview read within the window",
  findActiveShareLink: "the link alone",
  findEndpoint: "settings",
  findKeyword: "tracking",
  findOrganization: "for the operator",
  findSchedule: "settings",
  findShownMentions: "of what readReport has read",
  findTagged: "tracking",
  listAnnotations: "what people wrote down",
  listApiKeys: "settings",
  listDeletionRequests: "for the operator",
  listEndpoints: "settings",
  listExperiments: "plans",
  readBranding: "settings",
  readSurfaceLine: "of a scan that has been read",
  listIdentities: "people",
  listKeysWithMakers: "settings",
  listMembers: "people",
  listMemberships: "people",
  listNotProven: "of what readReport has read",
  listOrganizations: "people",
  listPlatforms: "configuration",
  listSealedNames: "of what readReport has read",
  listSessions: "people",
  listShareLinks: "settings",
  listShownAnswers: "of what readReport has read",
  listTags: "tracking",
  listViews: "tracking",
  listWorkers: "the installation",
  planMeasuring: "counts what measuring again would take",
  previewExperiment: "no share, only how large a rise would be seen",
  previewRescore: "within the days that planMeasuring is given",
  previewSchedule: "times to come",
  readAlertRule: "settings",
  readSpentSince: "what a month costs is no history",
  readBusinessCard: "the card as it is now",
  readChainHead: "one number and one hash, and no answer",
  readDelivery: "one that readDeliveryLog has shown",
  readDigestSetting: "settings",
  readExperiment: "a registered result; its page leaves older scans out of the course",
  readFunnels: "of what readSources has read",
  readHeadlineHistory: "within the bounds that its readers give",
  readIgnoredNames: "tracking",
  readInstanceTag: "the installation",
  readKeywords: "tracking",
  readLoginLink: "people",
  readMailSetup: "settings",
  readMeasuredVoice: "of the score that readOverview has shown",
  readMentions: "of answers that were read through a window",
  readNextRuns: "times to come",
  readPlatformHealth: "the installation",
  readQuota: "the present month",
  readRecipients: "settings",
  readScanResults: "of a scan that findShownScan let through",
  readScanTagShare: "of a scan that readScanDetail has shown",
  readSchedule: "settings",
  readSecretsMark: "settings",
  readSightings: "of answers that were read through a window",
  readSuggestionState: "tracking",
  readSystemStatus: "the installation",
  readTags: "tracking",
  readTopics: "tracking",
  readTrackedSet: "tracking",
  readUnsubscribeLink: "people",
  readUsage: "for the operator",
  readVoice: "of a score that a window has shown",
  readWordings: "tracking"
}

/** Reading use cases by name, and whether each takes a window. */
const takesWindow = new Map(
  globSync("packages/core/src/usecases/**/*.ts", { cwd: root }).flatMap((file) => {
    const source = readFileSync(join(root, file), "utf8")
    const [imports = "", ...declarations] = source.split(/^(?=export )/m)
    return declarations.flatMap((text) => {
      const name = /^export const ((?:read|list|find|count|preview|plan|follow|compare)\w+)/.exec(text)?.[1]
      return name === undefined ? [] : [[name, imports.includes("HistoryWindow") && text.includes("Window")] as const]
    })
  })
)

it("every other use case through which the dashboard reads takes a history window", () => {
  const asked = new Set(
    globSync("packages/http/src/dashboard/**/*.ts", { cwd: root })
      .flatMap((file) => namesImported(readFileSync(join(root, file), "utf8")))
      .filter((name) => takesWindow.has(name))
  )
  const open = [...asked].filter((name) => takesWindow.get(name) === false).toSorted()
  expect(open).toEqual(Object.keys(withoutWindow).toSorted())
})

it("the dashboard imports no use case that lacks a history window", () => {
  expect(namesImported("import { type Scan, listScans as all } from \"@sov/core/scanning\"")).toContain("listScans")
  const found = globSync("packages/http/src/dashboard/**/*.ts", { cwd: root }).flatMap((file) =>
    namesImported(readFileSync(join(root, file), "utf8"))
      .filter((name) => name in unwindowed)
      .map((name) => `${file}: ${name}, use ${unwindowed[name as keyof typeof unwindowed]}`)
  )
  expect(found).toEqual([])
})
