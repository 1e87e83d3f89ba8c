package research

import (
	"time"

	"quire/holdings/captures"
)

// record is a row of the table records: the record behind a capture, and its place.
type record struct {
	Filename string    `parquet:"warc_filename,dict"`
	Order    int64     `parquet:"record_number"` // in the container, from 1
	Offset   int64     `parquet:"warc_record_offset"`
	Length   *int64    `parquet:"warc_record_length,optional"`
	Inflated int64     `parquet:"inflated_offset"`
	Size     int64     `parquet:"inflated_length"`
	ID       string    `parquet:"warc_record_id,optional"`
	Type     string    `parquet:"warc_record_type,dict"`
	Date     string    `parquet:"warc_date,optional"`
	Time     time.Time `parquet:"fetch_time,timestamp(millisecond)"`
	Harvest  int32     `parquet:"harvest"`
	URL      string    `parquet:"url"`

	HeadLength int64    `parquet:"head_length"` // of the HTTP head
	BodyLength int64    `parquet:"body_length"` // as stored
	SHA256     string   `parquet:"body_sha256,optional"`
	Digests    []string `parquet:"content_digests,list"`
	Coding     string   `parquet:"content_coding,optional,dict"`
	Chunked    bool     `parquet:"chunked"`

	// Of a revisit: the record with its payload, if the readers see the whole package of that.
	PayloadPackage  string `parquet:"payload_crawl,optional,dict"`
	PayloadFilename string `parquet:"payload_warc_filename,optional,dict"`
	PayloadOrder    *int64 `parquet:"payload_record_number,optional"`
}

// recordOf returns the row of a record.
func (w *pkgWriter) recordOf(c *captures.Capture, at time.Time) record {
	r := &c.Record
	row := record{Filename: r.Container, Order: r.Order, Offset: r.Offset, Inflated: r.Inflated, Size: c.Size,
		ID: c.ID, Type: c.Type, Date: c.Date, Time: at, Harvest: int32(c.Harvest), URL: c.URL,
		HeadLength: r.Head, BodyLength: r.Body, SHA256: r.SHA256, Digests: c.Digests, Coding: c.Coding,
		Chunked: c.Chunked}
	if r.Stored >= 0 {
		stored := r.Stored
		row.Length = &stored
	}
	if p := c.Payload; p != nil && w.wholeOf(p.Package) {
		order := p.Order
		row.PayloadPackage, row.PayloadFilename, row.PayloadOrder = p.Package, p.Container, &order
	}
	return row
}
