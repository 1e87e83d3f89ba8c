// Package browsertrix reads harvests in the layout of Webrecorder's tools: WACZ files of
// Browsertrix, ArchiveWeb.page, Scoop, py-wacz, js-wacz and HTTrack; the folder in which
// Browsertrix crawls; the zips that came before WACZ.
//
// The sources, and the file that reads each:
//
//	datapackage.json, digest      describe.go  title, software, required packages, signature
//	pages/*.jsonl                 pages.go     pages: counted, not held; seeds
//	urn:pageinfo: records         pageinfo.go  requests and responses of each page; found by the index
//	logs/*.log                    joblog.go    begin, end, how it ended, errors
//	reports/skippedPages.jsonl    skipped.go   skipped URLs, with the reason
//	crawls/*.yaml                 config.go    seeds, scope, limits, the rest of the queue
//	first records of the WARCs    records.go   crawler, user agent
package browsertrix
