/** Importing the contract loads only the contract and the domain modules that contain its ids and bounds. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, it } from "vitest"

/** URLs of the modules that importing `name` loads, reported by Node's module hooks. */
const loadedBy = async (name: string): Promise<ReadonlyArray<string>> => {
  const script = `
    import { registerHooks } from "node:module"
    const urls = []
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) })
    await import(${JSON.stringify(name)})
    console.log(urls.join("\\n"))`
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: import.meta.dirname
  })
  return stdout.trimEnd().split("\n")
}

it.each(["@sov/http/contract", "@sov/http/client"])("importing %s loads no store, use case or server", async (name) => {
  const urls = await loadedBy(name)
  const own = (part: string) => urls.filter((url) => url.includes(part)).map((url) => url.split(part)[1])
  expect(new Set(own("packages/core/src/"))).toEqual(
    new Set([
      "contract.ts",
      "domain/dateBound.ts",
      "domain/experiments/Plan.ts",
      "domain/ids.ts",
      "domain/mail/EmailAddress.ts",
      "domain/organizations/Organization.ts",
      "domain/organizations/Plan.ts",
      "domain/organizations/Quota.ts",
      "domain/pageSizes.ts",
      "domain/people/Role.ts",
      "domain/platforms/Platform.ts",
      "domain/platforms/surface.ts",
      "domain/scanning/Scan.ts",
      "domain/scanning/startRequest.ts",
      "domain/scoring/Annotation.ts",
      "domain/scoring/shortStanding.ts",
      "domain/sources/Source.ts",
      "domain/sources/actions/actionNames.ts",
      "domain/tracking/Keyword.ts",
      "domain/tracking/Tag.ts",
      "domain/tracking/TrackedSet.ts",
      "domain/tracking/ViewInput.ts",
      "domain/wording.ts"
    ])
  )
  expect(own("packages/http/src/")).toContain("contract/Api.ts")
  expect(own("packages/http/src/").filter((path) => !/^(contract|client)\//.test(path!))).toEqual([])
  expect(own("node_modules/").filter((path) => !path!.startsWith("effect/"))).toEqual([])
})
