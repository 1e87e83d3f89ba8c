// Package records reads the records of a container in one and the same way, whether it is an ARC or a WARC, for the readers of
// sources: metadata files of NetarchiveSuite, the first record that names the crawler, the dates of bare containers.
//
//	r := records.NewReader(content, report)
//	for rec, err := r.Next(); err == nil; rec, err = r.Next() {
//		rec.Type, rec.URI, rec.Date, rec.Offset // io.Copy(w, rec) streams the block
//	}
//	fields, err := records.Info(content) // of the warcinfo, or of the metadata of an ARC
//
// It judges nothing: what is wrong with a container is told where containers are inspected (preserve/inspect), which is also the
// only place where a whole container of content is read.
package records
