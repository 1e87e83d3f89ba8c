// Package eark validates the output of quire export --as eark for real crawls. It uses the
// validators of the E-ARK specifications, commons-ip (Maven Central) and eark-validator (PyPI).
//
//	bash interop/run eark
package eark
