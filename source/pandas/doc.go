// Package pandas reads what PANDAS leaves, the system with which the National Library of Australia gathers for PANDORA: instances
// as folders and as tarballs, with what PANDAS put beside them, and, where there is one, a dump of its database.
//
//	claims, err := pandas.Reader{}.Find(ctx, t)
//	h, err := claims[0].Read(ctx)
//	about := h.About()                              // title, permissions, states from the database; the gather from HTTrack's own files
//	for r, err := range h.(source.Mirror).Resources(ctx, report) { ... } // each URL, with what url.map says of it
//	f, err := source.OpenFile(t, h, &about.Files[0]) // also of a file in a tarball
//
// The crawler was HTTrack: the mirror is read by quire/source/httrack. What is read from where, and who is believed first, is told
// in docs/sources/pandas.md.
package pandas
