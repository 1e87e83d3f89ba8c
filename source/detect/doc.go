// Package detect says which harvests lie in a source: it opens what a user names, asks every reader
// what it recognises, and decides where several recognise the same files. Every command that takes
// a SOURCE uses it.
//
// Each file of the source is in exactly one place: a harvest (Found.Files, less what is Shared), an
// archive that was opened for the harvests in it, or Unclaimed. How it is decided is told in
// docs/reference/400_identify-source.md.
package detect
