// Package warcmeta puts a curator's descriptions beside the captures that they are about: as WARC metadata records that refer to the
// record of the website, in a new WARC file or behind the records of the file that has it; and reads them back.
//
//	r, err := warcmeta.Run(ctx, []string{"crawl"}, warcmeta.Options{Rows: sheet.Rows, Out: "crawl", Agent: agent})
//	r.Missing // rows whose website is not in the source, and why
//	err = warcmeta.List(ctx, []string{"crawl"}, detect.Options{}, func(l warcmeta.Listed) error { ... l.Document ... })
//
// A description is known by the record it refers to, the URL and level it is about, and its form. Doing the same twice writes nothing;
// a changed one is added, says which it replaces, and leaves that where it is. docs/describe.md has the fields.
package warcmeta
