/** Types of the linter's plugin for tests, because the plugin is plain JavaScript. */
export declare const ROOMS: ReadonlyArray<{ readonly room: string; readonly paths: ReadonlyArray<string> }>

/** Names of the services that the ports of core declare in this tree. */
export declare const servicesOf: (tree: string) => ReadonlySet<string>
