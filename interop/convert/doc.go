// Package convert reads the WARC files of quire convert with independent tools. JWAT, jwarc and
// warcio must find them valid; pywb and jwarc must find the same captures as in the ARC.
//
//	bash interop/run convert
package convert
