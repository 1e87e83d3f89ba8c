// Package pdf tells what a PDF (ISO 32000-2) says of itself: version, pages and their size, title and dates, whether it is encrypted,
// linearized, tagged, and whether it claims to be PDF/A.
//
//	facts, err := pdf.Read(file, size)
//	fmt.Println(facts.Version, facts.Pages, facts.Title) // 1.7 12 Annual report
//
// It is read in place: the cross-reference tables and streams, and the few objects that are asked for; pages are not decoded. A document
// whose tables are damaged is searched for its objects. Time and memory are bounded whatever the document holds: see the bounds in
// facts.go. That PDF/A is claimed is what the document says; nothing is validated.
//
// Of an encrypted document that opens without a password the facts are told as of any other. Where a password is needed, what is
// written in text, and what stands in object streams, is not told.
package pdf
