/**
 * Exports the modules that connect the command line to database, platforms, error messages and signals. Apart from
 * main.ts, no other part of this package knows adapters.
 */
export { digestBindings, type PlatformConfig } from "@sov/core/outbound"
export {
  applyRoles,
  type BackupSummary,
  checkBackup,
  defaultRoleNames,
  inspectOwner,
  isRoleName,
  listSettingsFaults,
  listUnknownFiles,
  migrate as migrateDatabase,
  migrateServer,
  type OwnerStatus,
  planRoles,
  readMigrationStatus as schemaStatus,
  restoreBackup,
  takeBackup,
  tryKernelLock
} from "@sov/core/postgres"
export {
  type CommandServices,
  layerPublicUrl,
  runCommand,
  runForOrganization,
  runOnDatabase,
  runReadOnly,
  runWithoutDatabase
} from "./runtime/commands.ts"
export { findMailFault, mailSender } from "./runtime/mail.ts"
export {
  type Binding,
  buildPlatforms,
  configuredPlatforms,
  decodeConfig,
  findConfig,
  findForeignKey,
  findPlatformsFault,
  type FoundConfig,
  noPlatforms,
  platformsLayer,
  platformsToPlan,
  providerOf,
  readConfig,
  readPlatformLabels,
  simulatedConfig,
  simulatedPlatforms
} from "./runtime/platforms.ts"
export { type DatabaseProbe, type OpenDatabase, probeDatabase } from "./runtime/probeDatabase.ts"
export type { CommandSession, Program } from "./runtime/program.ts"
export { timeStamps } from "./runtime/timestamps.ts"
