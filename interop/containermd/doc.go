// Package containermd checks what `quire inspect --format containermd` says of every sample
// container: xmllint judges it by the schemas of containerMD 1.1 and 1.2, summed and with an entry
// per record, and our own reader finds in it what is meant.
//
//	bash interop/run containermd
package containermd
