/** sov demo: shows a share of voice, with a history, on simulated platforms. Needs no key and no database. */
import { Output } from "../../output/Output.ts"
import type { DemoOptions } from "./playDemo.ts"

export const demo = async (options: DemoOptions): Promise<void> => {
  new Output(options).note(`sov demo: everything is SIMULATED, and kept in ${options.dataDir}`)
  // Loaded only now, so that the first line appears at once.
  const { playDemo } = await import("./playDemo.ts")
  await playDemo(options)
}
