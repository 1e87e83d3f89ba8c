// Package archivefs reads the files of a folder, a tar, a tar.gz or a zip in one and the same way,
// in place: nothing is unpacked beside the source.
//
// A source comes from outside. A path that leads out of it, a link, a device, a bomb, two files of
// one name: each is refused and reported as a fault, and the rest is read. Names are bytes, as they
// were found; they need not be UTF-8.
//
// A folder and a plain tar are read where they are. Of a tar.gz, the tar is inflated once, into a
// temporary file without a name, since gzip has no way back; a compressed entry of a zip is
// inflated when it is opened, the same way when it is large.
//
// An archive that lies in a Tree is opened by Nested, which goes a few levels deep and no further.
// A file that is no archive is a Tree of its own by Single, and what a reader takes out of the
// records of a container is one by Of.
package archivefs
