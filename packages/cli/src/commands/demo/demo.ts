/** sov demo: a share of voice on simulated platforms, with a history, on a machine that has no key and no database. */
import { Output } from "../../output/Output.ts"
import type { DemoOptions } from "./playDemo.ts"

export const demo = async (options: DemoOptions): Promise<void> => {
  new Output(options).note(`sov demo: everything is SIMULATED, and kept in ${options.dataDir}`)
  // Loaded after the first line is on the screen.
  const { playDemo } = await import("./playDemo.ts")
  await playDemo(options)
}
