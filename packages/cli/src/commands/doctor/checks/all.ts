/** Every check of `sov doctor`, in the order in which they are printed. */
import { answers } from "./answers.ts"
import type { Check } from "./Check.ts"
import { configFile, envFile, keys, secrets } from "./configuration.ts"
import { clock, database, migrations, role, tls } from "./database.ts"
import { dataDirectory, diskSpace, fileSystem, foreignFiles, settingsFile } from "./dataDirectory.ts"
import { launcher, node } from "./installation.ts"
import { mail } from "./mail.ts"
import { models } from "./models.ts"
import { ownerProcess } from "./ownerProcess.ts"
import { reach } from "./reach.ts"
import { retention } from "./retention.ts"
import { singleSignOnCheck } from "./singleSignOn.ts"
import { webhooks } from "./webhooks.ts"
import { measurements, scans, schedules, workers } from "./work.ts"

export const checks: ReadonlyArray<Check> = [
  node,
  launcher,
  envFile,
  configFile,
  secrets,
  keys,
  dataDirectory,
  diskSpace,
  fileSystem,
  foreignFiles,
  settingsFile,
  ownerProcess,
  database,
  tls,
  migrations,
  role,
  clock,
  workers,
  scans,
  measurements,
  schedules,
  retention,
  webhooks,
  mail,
  singleSignOnCheck,
  models,
  reach,
  answers
]
