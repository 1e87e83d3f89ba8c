// Package publish writes the report of package auditreport: as JSON with all rows, and as a page for
// people, in HTML or PDF, with the same content.
//
// A page shows the first rows of long lists and the number of the others. JSON has up to
// auditreport.MaxRows of them.
package publish
