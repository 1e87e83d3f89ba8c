// Package joinsegments joins segmented records (ISO 28500:2017, clause 7) in copies of WARC files. The first segment is
// replaced by the whole record, and the continuations are left out. All other bytes stay.
//
// A [Set] observes the passes over the files, and then changes the copies. It joins only parts that make a whole
// ([warc.JoinSegments]), that are sound, and whose payload has the stated digest. All others stay as they are, with a
// finding. A metadata record behind each joined record has the headers of its segments, so that they can be restored.
package joinsegments
