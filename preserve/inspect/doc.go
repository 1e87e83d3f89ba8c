// Package inspect is the one pass over a container. It opens an ARC or WARC file, reads it from the
// first byte to the last, once, and passes every chunk of every block to a fixed list of observers.
// The result is a model.Container: the outcome, the findings with their positions, digests, counts
// and sums.
//
// Everything later (packing, reports, indexes) uses this result. A broken container is a result,
// never an error; an error comes from the machine: the file cannot be opened or read.
package inspect
