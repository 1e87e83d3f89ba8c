// Package memento lets clients of Memento (RFC 7089) that we did not write ask quire serve:
// memento_client of Python, by the Los Alamos National Laboratory, and, where it is told, their
// validator, which looks at captures, TimeGates and TimeMaps.
//
//	bash interop/run memento
//	QUIRE_MEMENTO_VALIDATOR=memento-validator bash interop/run memento   # a checkout of lanl/memento-validator
//
// The validator is in no registry of packages, so CI goes without it.
package memento
