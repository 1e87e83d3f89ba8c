// Package archivefs reads the files of a folder, a tar, a tar.gz or a zip in the same way, in
// place: it unpacks nothing beside the source.
//
// Sources come from outside. Paths that lead out of the source, links, devices, bombs and duplicate
// names are refused and reported as faults, and the rest is read. Names are bytes as found; they
// need not be UTF-8.
//
// A folder and a plain tar are read in place. A tar.gz is inflated once, into a temporary file
// without a name, because gzip cannot go back. A compressed entry of a zip is inflated when it is
// opened, into such a file if it is large.
//
// Nested opens an archive within a Tree, up to a few levels deep. Single makes a Tree of one file
// that is not an archive. Of makes a Tree of files that a reader extracts from the records of a
// container.
package archivefs
