// Package interop holds the tests with independent tools: they read our files, and we read theirs.
// It has no code of the product.
//
// Its tests have the build tag "interop" and need those tools; `make interop` installs and runs
// them:
//
//	make interop                          # everything
//	bash interop/run records              # one folder
package interop
