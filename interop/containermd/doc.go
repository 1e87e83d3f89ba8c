// Package containermd checks the output of `quire inspect --format containermd` for every sample
// container. xmllint validates it by the schemas of containerMD 1.1 and 1.2, summed and with an
// entry per record. Our own reader must find the intended values in it.
//
//	bash interop/run containermd
package containermd
