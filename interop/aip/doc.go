// Package aip lets tools that are not ours judge packages in all profiles, of what many crawlers
// left: xmllint validates the METS, sha512sum what they list, and what quire cat gives for each
// bytestream of a METS is held against what warcio reads in the container.
//
//	bash interop/run aip
package aip
