/**
 * SHA-256 hashes of the report styles of this version and all earlier ones. An unknown style could hide figures of a
 * page or show other ones. When `style.css` or `report.css` changes, add the new hash and keep the hashes of releases.
 */
export const knownStyles: ReadonlySet<string> = new Set([
  "122bad57a37816f0c63e06a840ce4aed6c975b6a748cb8cd47be425dff522ecd",
  "e1344e5a7bdb97186945219a1b8f145a22f7327f33aecc6238debc7ee3dd3880",
  "1c2cb35d9ee35fa18f88ff2db0d37d395100bde5d0824aa98326c85491b407b3",
  "803dfe3d2fa5d8c67e02be9bae51c9c61527fb4941b470bd39711a8c88b604cd",
  "f112f709a84e2779229f32e1d01df1e432d7eca079db6bfc9dc5318fbb1d4b76",
  "2199d12428dede40dbd8f49a6a9d1c25d7063374fc4cb0fe9a1a12b7b1f36353",
  "7a897453b5e83e98377d6b8ed4d469815a60654cf31345c3a9828e9ffa541ded",
  "abfeb9becdcc3a6e499535174885a0b1157f4de902a943e890f31e6935e587e1",
  "a99c2ba0560dc8df9e96e2ff65b797ac83523cb8c6f089f9f46ec4a6f025a1da"
])
