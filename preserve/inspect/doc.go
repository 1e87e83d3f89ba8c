// Package inspect is the one pass over a container: it opens an ARC or WARC file, reads it from the
// first byte to the last, once, and hands every chunk of every block to a fixed list of observers.
// What they saw is a model.Container: the verdict, the findings with their places, digests, counts
// and sums.
//
// Everything later (packing, reports, indexes) uses what the pass wrote down. A broken container is
// a verdict, never an error; an error is one of the machine: the file cannot be opened or read.
package inspect
