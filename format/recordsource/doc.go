// Package recordsource is what the readers of ARC and WARC files share before they look for records: a file of any
// compression that was opened, or is the caller's, and the faults of the compression from before the first record.
//
// It knows no record of either form.
package recordsource
