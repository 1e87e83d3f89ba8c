// Package aip knows archival packages as folders: their layout, what they say of themselves, and whether that is true.
// docs/package-format.md is the standard; the clauses named here are its clauses.
//
//	pkg, err := aip.Describe(os.DirFS(dir))                                     // what the package says it is
//	report, err := aip.Validate(ctx, dir, aip.Options{Schemas: "schemas"})   // whether it is so
//	for _, f := range report.Findings {
//		fmt.Println(f) // error PKG-DIGEST at containers/crawl.warc.gz byte 0: …
//	}
//
// Both read the METS as a stream. Neither opens a file that the METS names outside the folder.
package aip
