// Package bagit validates the bags of quire export with bagit-python, and compares its verdicts on
// the conformance suite with ours.
//
//	bash interop/run bagit
package bagit
