// Package archivefs reads the files of a folder, a tar, a tar.gz or a zip in the same way. It reads
// them in place and unpacks nothing next to the source.
//
// Sources come from outside. Paths that lead out of the source, links, devices, bombs and duplicate
// names are refused and reported as faults. All other files are read. Names are bytes as found;
// they need not be UTF-8.
//
// A folder and a plain tar are read in place. A tar.gz is inflated once, into a temporary file
// without a name, because gzip cannot be read backwards. A compressed entry of a zip is inflated
// when it is opened. A large entry is inflated into such a temporary file.
//
// Nested opens an archive within a Tree, up to a few levels deep. Single makes a Tree from one file
// that is not an archive. Of makes a Tree from files that a reader extracts from the records of a
// container.
package archivefs
