// Package bagit lets bagit-python validate the bags that quire export makes, and compares its
// verdicts on the bags of the conformance suite with ours.
//
//	bash interop/run bagit
package bagit
