// Package bare reads deliveries of containers only: ARC and WARC files without a log, a
// configuration or a report. National libraries have such files from the Internet Archive, from
// Alexa, and from the first years of their own harvests.
//
// It reads only the first record of each container. The single pass over the containers
// (preserve/inspect) finds the date of the last record and reads everything in between. Indexes
// (CDX, CDXJ, DAT) and checksum lists beside the containers belong to the harvest.
package bare
