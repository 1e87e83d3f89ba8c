// Package bare reads deliveries of containers and nothing else: ARC and WARC files without a log, a
// configuration or a report, as national libraries have from the Internet Archive, from Alexa and
// from their own first years.
//
// Of each container only the first record is read. When the last record was made, and what is in
// between, is learnt in the one pass over the containers (preserve/inspect), not here. Indexes
// (CDX, CDXJ, DAT) and lists of checksums beside them belong to the harvest.
package bare
