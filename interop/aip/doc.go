// Package aip validates packages of all profiles, from many crawlers, with independent tools.
// xmllint validates the METS, and sha512sum verifies the listed files. The tests compare the output
// of quire cat for each bytestream of a METS with warcio's reading of the container.
//
// reader.py reads packages without code of Quire, by docs/reference/310_package-format.md alone.
// checker.py checks packages with it, lxml, warcio and metsrw.
//
//	bash interop/run aip
package aip
