// Package verdicts validates each sample with JWAT, JHOVE, jwarc and warcio, and compares their
// verdicts with ours. If no peer shares our verdict, the section "Peers" of
// docs/explanation/730_verdicts.md must explain why.
//
//	bash interop/run verdicts             # the matrix is written to build/interop/verdicts.tsv
//	go test -tags interop ./interop/verdicts -update   # prints the rows that the section lacks
package verdicts
