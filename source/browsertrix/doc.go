// Package browsertrix reads harvests in the layout of Webrecorder's tools: WACZ files of
// Browsertrix, ArchiveWeb.page, Scoop, py-wacz, js-wacz and HTTrack; the folder in which
// Browsertrix crawls; the zips that came before WACZ.
//
// The witnesses, and where each is read:
//
//	datapackage.json, digest      describe.go  title, software, what it depends on, signature
//	pages/*.jsonl                 pages.go     pages: counted, not held; seeds
//	urn:pageinfo: records         pageinfo.go  what each page asked for, and got; found by the index
//	logs/*.log                    joblog.go    begin, end, how it ended, errors
//	reports/skippedPages.jsonl    skipped.go   what was not followed, and why
//	crawls/*.yaml                 config.go    seeds, scope, limits, what was left in the queue
//	first records of the WARCs    records.go   crawler, user agent
package browsertrix
