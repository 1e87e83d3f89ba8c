// Package mirror turns what crawlers saved as files (HTTrack, wget, PANDAS, a plain folder) into WARC 1.1 (ISO 28500:2017).
//
//	report, err := mirror.Convert(ctx, m, warcFile, mirror.Options{Name: "13982/20030403", Software: "Quire/1.0", Date: now,
//		Tell: mirror.Lines(reportFile)}) // m is a source.Mirror
//	report.Grades[source.OriginalEntity] // how many URLs came back how well
//	report.OnlyInOriginal                // what goes when the mirror is dropped
//
// Nothing is invented: what nobody kept of an answer (its head, its date, its bytes) is not in the WARC, or is marked as made.
// Which records there are for what, and what their fields say, is told in docs/mirrors.md; why, in
// docs/decisions/0009-mirrors-become-warc.md.
package mirror
