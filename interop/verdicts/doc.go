// Package verdicts asks JWAT, JHOVE, jwarc and warcio whether each sample is valid, and lays their
// answers beside ours. Where we are alone in saying valid or invalid, the section "Peers" of
// docs/explanation/730_verdicts.md has to say why.
//
//	bash interop/run verdicts             # the matrix is written to build/interop/verdicts.tsv
//	go test -tags interop ./interop/verdicts -update   # prints the rows that the section lacks
package verdicts
