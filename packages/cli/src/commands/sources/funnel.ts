/** sov sources funnel: how many answers get from reading own pages to naming the brand first. */
import { pluralized } from "@sov/core/common"
import { otherQuestions } from "@sov/core/scoring"
import { funnelsJson, readFunnels } from "@sov/core/sources"
import { type Column, printable } from "../../output/Output.ts"
import { runForOrganization } from "../../runtime.ts"
import { printView, readReport, scopeLines, type SourceOptions } from "./sources.ts"
import { headJson } from "./sourcesJson.ts"

type Funnels = ReturnType<typeof funnelsJson>
type Steps = Funnels["by_tag"][number]["steps"]
type Row = { readonly name: string; readonly answers: number; readonly steps: Steps; readonly named_only: number }

const formatStep = (step: Steps[keyof Steps]): string =>
  step === null ? "not shown" : `${Math.floor(step.rate + 0.5)} %${
    step.interval_95 === null
      ? ""
      : ` (${Math.floor(step.interval_95.low + 0.5)}–${Math.floor(step.interval_95.high + 0.5)})`
  }`

const stepColumn = (header: string, step: keyof Steps): Column<Row> => ({
  header,
  cell: ({ steps }) => formatStep(steps[step]),
  align: "right"
})

const columns: ReadonlyArray<Column<Row>> = [
  { header: "", cell: ({ name }) => printable(name) },
  { header: "ANSWERS", cell: ({ answers }) => answers, align: "right" },
  stepColumn("RETRIEVED", "retrieved"),
  stepColumn("CITED", "cited"),
  stepColumn("NAMED", "named"),
  stepColumn("NAMED FIRST", "named_first"),
  { header: "NAMED ONLY", cell: ({ named_only }) => named_only, align: "right" }
]

/** Formats one line of CSV or JSON lines for each platform and tag. */
const lineOf = (by: "platform" | "tag") => ({ name, answers, named_only, steps }: Row) => ({
  by,
  name,
  answers,
  ...Object.fromEntries(
    (Object.keys(steps) as ReadonlyArray<keyof Steps>).flatMap((step) => [
      [step, steps[step]?.answers ?? null],
      [`${step}_rate`, steps[step]?.rate ?? null],
      [`${step}_low`, steps[step]?.interval_95?.low ?? null],
      [`${step}_high`, steps[step]?.interval_95?.high ?? null]
    ])
  ),
  named_only
})

/** Runs `sov sources funnel`. */
export const funnel = (options: SourceOptions) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const report = yield* readReport(options, organization.id, "4")
    const funnels = funnelsJson(yield* readFunnels(organization.id, report))
    if (out.format === "json") return out.result({ ...headJson(report), ...funnels }, () => "")
    const platforms = funnels.by_platform.map((one): Row => ({ ...one, name: one.platform }))
    const tags = funnels.by_tag.map((one): Row => ({ ...one, name: one.tag }))
    if (out.format !== "table") {
      return out.list([...platforms.map(lineOf("platform")), ...tags.map(lineOf("tag"))], [], { empty: "" })
    }
    const hidden = platforms.filter(({ steps }) => steps.retrieved === null)
    printView(out, {}, "", [
      ...platforms.map((row) => ({ ...row, name: out.platformName(row.name as never) })),
      ...tags.map((row) => ({ ...row, name: `tag ${row.name}` }))
    ], {
      columns,
      before: scopeLines(out, report),
      after: [
        "",
        `Each step counts some of the answers of the step before, in per cent of ANSWERS (95 %: ${otherQuestions}).`,
        "NAMED ONLY: answers that name you and cite no page of yours.",
        ...hidden.length === 0 ? [] : [
          `not shown: ${
            hidden.map(({ name }) => out.platformName(name as never)).join(", ")
          } did not show which pages were read`
        ],
        ...tags.length === 0 ? [] : [`${pluralized(tags.length, "tag")}: over the platforms that show most.`]
      ]
    })
  })
