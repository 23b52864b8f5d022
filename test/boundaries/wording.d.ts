/** Types of the list of phrases for tests, because the list is plain JavaScript. */
export declare const WORDING: ReadonlyArray<{ readonly pattern: RegExp; readonly better: string }>

/** Returns the faults of a text: each phrase in it from the list, with its better form. */
export declare const wordingFaults: (text: string) => ReadonlyArray<string>
