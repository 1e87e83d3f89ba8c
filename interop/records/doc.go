// Package records compares our reading of ARC and WARC files with that of warcio and jwarc: the
// same records, at the same offsets, of the same types. Each file that a peer reads without
// complaint must agree, or be explained in explained_test.go.
//
//	bash interop/run records              # the matrix is written to build/interop/records.tsv
package records
