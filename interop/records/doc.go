// Package records compares our reading of ARC and WARC files with warcio's and jwarc's: the same
// records, at the same offsets, of the same types. The readings must agree on each file that a peer
// reads without complaint; explained_test.go explains the exceptions.
//
//	bash interop/run records              # the matrix is written to build/interop/records.tsv
package records
