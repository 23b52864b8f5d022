/** What tests see of the list of phrases, which is plain JavaScript. */
export declare const WORDING: ReadonlyArray<{ readonly pattern: RegExp; readonly better: string }>

/** What is wrong with a text: each phrase that it has, with the better form. */
export declare const wordingFaults: (text: string) => ReadonlyArray<string>
