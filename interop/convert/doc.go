// Package convert has the WARC files that quire convert makes of ARC files read by tools that we
// did not write: JWAT, jwarc and warcio are asked whether they are valid, pywb and jwarc whether
// they hold the same captures as the ARC.
//
//	bash interop/run convert
package convert
