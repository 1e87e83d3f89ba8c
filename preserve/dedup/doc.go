// Package dedup writes WARC files again, with a revisit record (ISO 28500:2017, 6.7.2, profile
// identical-payload-digest) in the place of each record whose payload was captured earlier and is
// stored elsewhere; and brings the full records back, byte for byte.
//
// No digest that somebody wrote in a header decides anything: what is compared is computed from the
// bytes. A record that is not whole, that is not what its own digests say, or that could not be
// brought back stays as it is, and the report says why. docs/reference/445_dedup.md tells the
// rules, and docs/explanation/decisions/0010 why they are so.
package dedup
