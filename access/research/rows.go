package research

import (
	"strings"
	"time"

	"quire/holdings/captures"
	"quire/internal/secret"
)

// capture is a row of the table captures. Columns that Common Crawl's columnar index has too have its
// names and meanings.
type capture struct {
	URLKey       string `parquet:"url_surtkey"`
	URL          string `parquet:"url"`
	Host         string `parquet:"url_host_name,optional,dict"`
	TLD          string `parquet:"url_host_tld,optional,dict"`
	Part2        string `parquet:"url_host_2nd_last_part,optional,dict"`
	Part3        string `parquet:"url_host_3rd_last_part,optional,dict"`
	Part4        string `parquet:"url_host_4th_last_part,optional,dict"`
	Part5        string `parquet:"url_host_5th_last_part,optional,dict"`
	Suffix       string `parquet:"url_host_registry_suffix,optional,dict"`
	Domain       string `parquet:"url_host_registered_domain,optional,dict"`
	PrivSuffix   string `parquet:"url_host_private_suffix,optional,dict"`
	PrivDomain   string `parquet:"url_host_private_domain,optional,dict"`
	HostReversed string `parquet:"url_host_name_reversed,optional,dict"`
	Protocol     string `parquet:"url_protocol,optional,dict"`
	Port         *int32 `parquet:"url_port,optional"`
	Path         string `parquet:"url_path,optional"`
	Query        string `parquet:"url_query,optional"`

	Time     time.Time `parquet:"fetch_time,timestamp(millisecond)"`
	Status   *int16    `parquet:"fetch_status,optional"`
	Redirect string    `parquet:"fetch_redirect,optional"`

	Digest    string `parquet:"content_digest,optional"`
	MIME      string `parquet:"content_mime_type,optional,dict"`
	Truncated string `parquet:"content_truncated,optional,dict"`

	Filename string `parquet:"warc_filename,optional,dict"`
	Offset   *int64 `parquet:"warc_record_offset,optional"`
	Length   *int64 `parquet:"warc_record_length,optional"`

	// Columns that Common Crawl does not have.
	Type    string `parquet:"warc_record_type,dict"`
	Method  string `parquet:"request_method,dict"`
	Size    int64  `parquet:"content_length"`
	Harvest int32  `parquet:"harvest"`
}

// captureOf returns the row of a capture. whole reports whether the reader sees the whole package: else
// names of containers, and places in them, may reveal closed records.
func (n *hosts) captureOf(c *captures.Capture, at time.Time, whole bool) capture {
	url := c.URL
	a := n.split(url)
	row := capture{URLKey: secret.Without(c.Key), URL: url, Host: a.host.name, TLD: a.host.tld, Suffix: a.host.suffix,
		Domain: a.host.domain, HostReversed: a.host.reversed, Protocol: a.protocol, Port: a.port, Path: a.path,
		Query: a.query, Time: at, Digest: strings.TrimPrefix(c.Digest, "sha1:"), MIME: c.MIME,
		Truncated: c.TruncatedBy, Type: c.Type, Method: c.Method, Size: c.Length, Harvest: int32(c.Harvest)}
	row.Part2, row.Part3, row.Part4, row.Part5 = a.host.parts[0], a.host.parts[1], a.host.parts[2], a.host.parts[3]
	row.PrivSuffix, row.PrivDomain = a.host.privateSuffix, a.host.privateDomain
	if c.Status != 0 {
		status := int16(c.Status)
		row.Status = &status
	}
	if row.Method == "" {
		row.Method = "GET"
	}
	if whole {
		row.Filename = c.Record.Container
		if stored := c.Record.Stored; stored >= 0 && len(c.Record.Segments) == 0 { // otherwise in several places
			offset := c.Record.Offset
			row.Offset, row.Length = &offset, &stored
		}
	}
	return row
}
