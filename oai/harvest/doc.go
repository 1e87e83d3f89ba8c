// Package harvest fetches what an OAI-PMH server has, so that nothing is lost and nothing is
// fetched twice: into WARC files, or into plain files. CRATEs and other DIDL become resource
// records, with what tools said of them beside; all else becomes metadata records.
//
// The folder says all of itself in harvest.json, which is written anew after each page: a harvest
// that was stopped, or killed, goes on there when Run is called again, and one that was done is
// continued with what changed since. docs/reference/590_harvest.md describes the folder.
package harvest
