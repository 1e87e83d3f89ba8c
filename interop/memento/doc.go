// Package memento tests quire serve with independent clients of Memento (RFC 7089). One is Python's
// memento_client by the Los Alamos National Laboratory. The other, if its path is set, is their
// validator, which tests captures, TimeGates and TimeMaps.
//
//	bash interop/run memento
//	QUIRE_MEMENTO_VALIDATOR=memento-validator bash interop/run memento   # a checkout of lanl/memento-validator
//
// The validator is in no package registry, so CI runs without it.
package memento
