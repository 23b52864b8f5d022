import { drawsBlocks } from "../render/bars.ts"
import type { Canvas } from "../render/scoreView.ts"
import type { Output } from "./Output.ts"

/** Creates the canvas for stdout: 80 columns if the width is unknown (0 counts as unknown). */
export const makeCanvas = (out: Output): Canvas => ({
  width: process.stdout.columns || 80,
  blocks: drawsBlocks(process.env),
  style: (style, text) => out.style(style, text),
  platformName: out.platformName
})
