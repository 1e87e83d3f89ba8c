// Package interop holds what is checked with tools that we did not write: their reading of our
// files, and our reading of theirs. It has no code of the product.
//
// Its tests carry the build tag "interop" and want those tools installed; `make interop` does both:
//
//	make interop                          # everything
//	bash interop/run records              # one folder
package interop
