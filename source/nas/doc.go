// Package nas reads the files that NetarchiveSuite keeps for a job: containers of harvested data,
// and the metadata file. The metadata file is an ARC or WARC with the configuration, the logs, the
// reports and the capture lists of the crawl as records. NetarchiveSuite deletes all other files of
// Heritrix when it writes that file.
//
// The metadata file is read once, forward, to find its records; each document is then opened in
// place. The package also reads jobs with only a harvestInfo.xml beside the crawl's folder, when
// the crawl never wrote a metadata file. It also reads containers with the job in their warcinfo.
// See docs/reference/405_netarchivesuite.md.
package nas
