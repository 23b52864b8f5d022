/** sov demo: a share of voice on simulated platforms, with a history, on a machine that has no key and no database. */
import { Output } from "../Output.ts"
import type { DemoOptions } from "../playDemo.ts"

/** The demo has a home of its own: made-up answers never go where real ones belong by default. */
const homeOf = (dataDir: string): string => dataDir === ".sov" ? ".sov-demo" : dataDir

export const demo = async (given: DemoOptions): Promise<void> => {
  const options = { ...given, dataDir: homeOf(given.dataDir) }
  new Output(options).note(`sov demo: everything is SIMULATED, and kept in ${options.dataDir}`)
  // Loaded after the first line is on the screen.
  const { playDemo } = await import("../playDemo.ts")
  await playDemo(options)
}
