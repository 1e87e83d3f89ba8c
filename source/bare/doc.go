// Package bare reads deliveries of containers and nothing else: ARC and WARC files without a log, a configuration or a report,
// as national libraries have from the Internet Archive, from Alexa and from their own first years.
//
//	claims, err := bare.Reader{}.Find(ctx, t) // containers that belong together, by their names, else by their folder
//	h, err := claims[0].Read(ctx)
//	h.About().Documentation                   // model.Undocumented: that nothing tells of the run is said, not left open
//	h.About().Start                           // when the first container was begun; software, operator, … of the first records
//
// Of each container only the first record is read. When the last record was made, and what is in between, is learnt in the one
// pass over the containers (preserve/inspect), not here. Indexes (CDX, CDXJ, DAT) and lists of checksums beside them belong to
// the harvest.
package bare
