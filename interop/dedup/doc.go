// Package dedup lets warcio, pywb's indexer and jwarc read WARC files before and after
// deduplication: no complaint may be new, the captures must be the same, and each revisit must say
// what it says to a reader who knows the standard and nothing of us.
//
//	bash interop/run dedup
package dedup
