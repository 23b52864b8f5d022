/** Time stamps for the commands that make or check anchors. */
import { layerTimeStamps } from "@sov/core/outbound"
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

export const timeStamps = layerTimeStamps().pipe(Layer.provide(SecureRandom.layerWebCrypto))
