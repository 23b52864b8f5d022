/** The errors that the methods of `openSov` reject with. */
import { ConfigError } from "../adapters/outbound/index.ts"
import { EmbeddedError, SchemaNewer, SchemaOlder, UnsupportedServer } from "../adapters/postgres/index.ts"
import { MailError } from "../ports/Mailer.ts"
import { OrganizationExists } from "../ports/OrganizationStore.ts"
import { StoreError } from "../ports/StoreError.ts"
import * as UseCase from "../usecases/errors.ts"

const classes = [
  ...Object.values(UseCase),
  ConfigError,
  EmbeddedError,
  MailError,
  OrganizationExists,
  SchemaNewer,
  SchemaOlder,
  StoreError,
  UnsupportedServer
]

/** An error that sov foresees: `_tag` and fields describe it, `message` is one line for people. */
export type SovError = InstanceType<(typeof classes)[number]>

/**
 * Whether sov foresees this error (with this tag, if one is given); any other error is a bug in the program or in sov.
 */
export const isSovError = <Tag extends SovError["_tag"] = SovError["_tag"]>(
  error: unknown,
  tag?: Tag
): error is Extract<SovError, { readonly _tag: Tag }> =>
  classes.some((each) => error instanceof each) && (tag === undefined || (error as SovError)._tag === tag)
