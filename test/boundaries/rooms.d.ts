/** What tests see of the linter's plugin, which is plain JavaScript. */
export declare const ROOMS: ReadonlyArray<{ readonly room: string; readonly paths: ReadonlyArray<string> }>
