package repotest

import (
	"fmt"
	"strings"
)

// Record returns a WARC record. The date is in the form of WARC; more are additional header fields.
func Record(kind, id, uri, date, contentType, block string, more ...string) string {
	head := "WARC/1.1\r\nWARC-Type: " + kind + "\r\nWARC-Record-ID: <urn:x:" + id + ">\r\nWARC-Date: " + date + "\r\n"
	if uri != "" {
		head += "WARC-Target-URI: " + uri + "\r\n"
	}
	for _, m := range more {
		head += m + "\r\n"
	}
	return fmt.Sprintf("%sContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", head, contentType, len(block),
		block)
}

// Response returns a response record with status 200.
func Response(id, uri, date, mime, body string, fields ...string) string {
	return Answer(id, uri, date, "200 OK", body, append([]string{"Content-Type: " + mime}, fields...)...)
}

// Answer returns a response record with any status. It adds the Content-Length.
func Answer(id, uri, date, status, body string, fields ...string) string {
	head := "HTTP/1.1 " + status + "\r\n"
	for _, f := range fields {
		head += f + "\r\n"
	}
	return Record("response", id, uri, date, "application/http;msgtype=response",
		fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(body), body))
}

// Redirect returns a response record that redirects to another URL.
func Redirect(id, uri, date, to string) string {
	return Answer(id, uri, date, "302 Found", "", "Location: "+to)
}

// Request returns the request record of a response.
func Request(id, uri, date, of, head, body string) string {
	return Record("request", id, uri, date, "application/http;msgtype=request",
		strings.TrimRight(head, "\r\n")+"\r\n\r\n"+body, "WARC-Concurrent-To: <urn:x:"+of+">")
}

// Revisit returns a revisit record of an earlier captured payload, body.
func Revisit(id, uri, date, mime, body, ofURI, ofDate string) string {
	return Record("revisit", id, uri, date, "application/http;msgtype=response",
		"HTTP/1.1 200 OK\r\nContent-Type: "+mime+"\r\nX-Again: yes\r\n\r\n",
		"WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
		"WARC-Payload-Digest: "+Digest(body),
		"WARC-Refers-To-Target-URI: "+ofURI, "WARC-Refers-To-Date: "+ofDate)
}
