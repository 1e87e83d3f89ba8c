// Package links has Python's html.parser search pages for links. It compares the bytes at each
// link's position with the METS of the profile linked.
//
//	bash interop/run links
package links
