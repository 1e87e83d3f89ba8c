// Package links lets Python's html.parser look for the links of pages, and holds the bytes where it
// finds them against those that the METS of the profile linked has.
//
//	bash interop/run links
package links
