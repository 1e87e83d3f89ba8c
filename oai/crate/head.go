package crate

import (
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"quire/metadata/xmlstream"
	"quire/oai/resource"
)

// headOf returns the HTTP head of a resource, or nil if it was not served by HTTP.
func headOf(r *resource.Resource) *Head {
	if len(r.Header) == 0 && r.Status == 0 {
		return nil
	}
	return &Head{Proto: r.Proto, Status: r.Status, Fields: r.Header}
}

// nameOf returns the file name of a resource: that of Content-Disposition (RFC 6266), or else the
// last segment of the path of its URL; "" if both are missing.
func nameOf(r *resource.Resource) string {
	if _, p, err := mime.ParseMediaType(field(r, "Content-Disposition")); err == nil && p["filename"] != "" {
		return p["filename"]
	}
	u, err := url.Parse(r.URL)
	if err != nil {
		return ""
	}
	return u.Path[strings.LastIndexByte(u.Path, '/')+1:]
}

// modifiedOf returns the time of a resource's last change as its server states it, or zero.
func modifiedOf(r *resource.Resource) time.Time {
	at, err := http.ParseTime(field(r, "Last-Modified"))
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}

// writeHead writes an http:header.
func writeHead(x *xmlstream.Writer, h *Head) error {
	x.Declare("http", HeadNamespace)
	x.Start("http:header")
	x.AttrOpt("protocol", h.Proto)
	if h.Status != 0 {
		x.AttrInt("status", int64(h.Status))
	}
	for _, f := range h.Fields {
		x.Start("http:field")
		x.Attr("name", f.Name)
		x.Text(f.Value)
		x.End("http:field")
	}
	x.End("http:header")
	return x.Err()
}

// head reads the current http:header.
func (r *reading) head(e xmlstream.Element) (*Head, error) {
	h := &Head{Proto: e.Attr("protocol")}
	if s := e.Attr("status"); s != "" {
		var err error
		if h.Status, err = strconv.Atoi(s); err != nil {
			r.problem("status %.20q is not a number", s)
		}
	}
	err := r.EachIn(HeadNamespace, func(e xmlstream.Element) error {
		if e.Local != "field" {
			return r.unknown()
		}
		f := resource.Field{Name: e.Attr("name")}
		err := r.TextTo(&f.Value)
		h.Fields = append(h.Fields, f)
		return err
	})
	return h, err
}
