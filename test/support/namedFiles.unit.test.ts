import { expect, it } from "vitest"
import { namesFiles } from "./namedFiles.ts"

it.each([
  "run --root test cli/output",
  "--root test domain/scoring",
  "run cli/output --root=test -t prediction",
  "run --root test --reporter json --outputFile out.json cli/output",
  "bench --run --root test scoring",
  "related --root test ../packages/core/src/index.ts",
  "watch cli"
])("the command `vitest %s` names test files", (command) => expect(namesFiles(command.split(" "))).toBe(true))

it.each([
  "run --root test",
  "run --root test -t prediction",
  "run --root test --testNamePattern=prediction",
  "run --root test --shard 1/2",
  "run --root test --coverage",
  "run --root test --reporter json --outputFile out.json",
  "run --root test --maxWorkers 2 --retry 3",
  "run --root test --bail 1 --no-color",
  "bench --run --root test"
])("the command `vitest %s` names no test file", (command) => expect(namesFiles(command.split(" "))).toBe(false))
