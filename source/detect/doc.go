// Package detect says which harvests lie in a source: it opens what a user names, asks every reader what it recognises, and
// decides where several recognise the same files. Every command that takes a SOURCE uses it.
//
//	s, err := detect.Open(ctx, "delivery/", "job-42.tar.gz", "lone.arc.gz") // folders, archives, files
//	defer s.Close()
//	for h, err := range s.Harvests(ctx) {
//		about := h.About()                  // what is known of it; h is also a source.Mirror where its reader makes one
//		c, err := h.Found.Tree.Open(about.Files[0].Path)
//	}
//	s.Unclaimed, s.Opened, s.Findings // every file that is in no harvest, and why; archives that were looked into
//
// Each file of the source is in exactly one place: a harvest (Found.Files, less what is Shared), an archive that was opened for
// the harvests in it, or Unclaimed. How it is decided is told in docs/identify-source.md.
package detect
