// Package eark has the validators of the E-ARK specifications, commons-ip (Maven Central) and
// eark-validator (PyPI), judge what quire export --as eark makes of real crawls.
//
//	bash interop/run eark
package eark
