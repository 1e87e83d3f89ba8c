// Package recordsource opens files of records, of any compression, for the readers of ARC and WARC files. It keeps the
// faults of the compression that come before the first record, until the reading begins.
//
// It knows no record of either form.
package recordsource
