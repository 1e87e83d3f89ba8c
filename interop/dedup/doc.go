// Package dedup has warcio, pywb's indexer and jwarc read WARC files before and after
// deduplication. There must be no new complaint, and the captures must be the same. Each revisit
// must mean the same to a reader that knows only the standard.
//
//	bash interop/run dedup
package dedup
