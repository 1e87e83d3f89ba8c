// Package harvest fetches everything that an OAI-PMH server has, without loss and without fetching
// twice, into WARC files or plain files. CRATEs and other DIDL become resource records, with the
// output of tools beside them; all other metadata become metadata records.
//
// The state of the folder is in harvest.json, which is rewritten after each page. If a harvest was
// stopped or killed, the next Run resumes it. If it was complete, the next Run fetches the changes
// since. docs/reference/590_harvest.md describes the folder.
package harvest
