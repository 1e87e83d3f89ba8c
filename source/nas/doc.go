// Package nas reads what NetarchiveSuite keeps of a job: containers of harvested data, and the
// metadata file, an ARC or WARC whose records are the configuration, the logs, the reports and the
// lists of captures of the crawl. What Heritrix left besides is deleted when that file is written,
// so it is all there is.
//
// The metadata file is read once, forward, to learn where its records are; each document is then
// opened in place. Jobs whose harvestInfo.xml lies beside the folder of a crawl that never got as
// far as a metadata file are read too, and containers whose warcinfo tells the job. See
// docs/reference/405_netarchivesuite.md.
package nas
