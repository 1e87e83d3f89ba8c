package repotest

import (
	"fmt"
	"strings"
)

// Segments splits a record of [Record] into segments: before each offset in its block. The first
// part keeps the header, the others are continuations.
func Segments(record string, at ...int) []string {
	header, block, _ := strings.Cut(strings.TrimSuffix(record, "\r\n\r\n"), "\r\n\r\n")
	var fields []string
	id, uri, date := "", "", ""
	for _, line := range strings.Split(header, "\r\n")[1:] {
		name, value, _ := strings.Cut(line, ": ")
		switch name {
		case "Content-Length":
			continue
		case "WARC-Record-ID":
			id = strings.TrimSuffix(strings.TrimPrefix(value, "<urn:x:"), ">")
		case "WARC-Target-URI":
			uri = value
		case "WARC-Date":
			date = value
		}
		fields = append(fields, line)
	}
	all := []string{fmt.Sprintf("WARC/1.1\r\n%s\r\nWARC-Segment-Number: 1\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		strings.Join(fields, "\r\n"), at[0], block[:at[0]])}
	for i, from := range at {
		to, total := len(block), fmt.Sprintf("WARC-Segment-Total-Length: %d\r\n", len(block))
		if i+1 < len(at) {
			to, total = at[i+1], ""
		}
		all = append(all, fmt.Sprintf("WARC/1.1\r\nWARC-Type: continuation\r\nWARC-Record-ID: <urn:x:%s-%d>\r\n"+
			"WARC-Date: %s\r\nWARC-Target-URI: %s\r\nWARC-Segment-Origin-ID: <urn:x:%s>\r\nWARC-Segment-Number: %d\r\n"+
			"%sContent-Length: %d\r\n\r\n%s\r\n\r\n", id, i+2, date, uri, id, i+2, total, to-from, block[from:to]))
	}
	return all
}
