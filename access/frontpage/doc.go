// Package frontpage chooses the front pages of an archived website: the addresses that curators recorded
// and the seeds of its harvests, if they were captured as pages, or else the first captured page of its
// main host.
//
// A choice looks through up to ten thousand captures, and lists show many websites. So a Chooser keeps
// its choices for each class of readers, while nothing changes that decisions on access depend on.
package frontpage
