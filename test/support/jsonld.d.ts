/** Types for the parts of jsonld that the tests use, because jsonld has no types. */
declare module "jsonld" {
  interface Options {
    readonly documentLoader: (url: string) => Promise<{ readonly documentUrl: string; readonly document: unknown }>
  }
  const jsonld: { readonly expand: (document: object, options: Options) => Promise<ReadonlyArray<unknown>> }
  export default jsonld
}
