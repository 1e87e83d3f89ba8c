package http1

import (
	"fmt"
	"io"
	"strings"
)

// WriteHead writes h with its final empty line. It writes a parsed head byte for byte as it was
// sent. A new or [Head.Fresh] head is written from its parts in the form of RFC 9112; WriteHead
// fails if that form cannot carry them.
func WriteHead(w io.Writer, h *Head) error {
	text := h.raw
	if text == "" {
		made, err := h.text()
		if err != nil {
			return err
		}
		text = made
	}
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("http1: writing the head: %w", err)
	}
	return nil
}

// Fresh returns a copy of h without the original bytes, so that WriteHead writes changes to its
// parts.
func (h *Head) Fresh() *Head {
	fresh := *h
	fresh.raw = ""
	fresh.Fields = append([]Field(nil), h.Fields...)
	return &fresh
}

func (h *Head) text() (string, error) {
	var b strings.Builder
	if err := h.writeStart(&b); err != nil {
		return "", err
	}
	for _, f := range h.Fields {
		if !isToken(f.Name) {
			return "", fmt.Errorf("http1: field name %s is not a token (RFC 9110, 5.1)", excerpt(f.Name))
		}
		if strings.ContainsAny(f.Value, "\r\n\x00") {
			return "", fmt.Errorf("http1: value of field %s holds CR, LF or NUL (RFC 9110, 5.5)", f.Name)
		}
		b.WriteString(f.Name + ": " + f.Value + "\r\n")
	}
	b.WriteString("\r\n")
	return b.String(), nil
}

func (h *Head) writeStart(b *strings.Builder) error {
	proto := h.Proto
	if proto == "" {
		proto = "HTTP/1.1"
	}
	line := h.Method + " " + h.Target + " " + proto
	if h.Kind != Request {
		if h.StatusCode < 100 || h.StatusCode > 999 {
			return fmt.Errorf("http1: status code %d is not three digits (RFC 9112, 4)", h.StatusCode)
		}
		line = fmt.Sprintf("%s %d %s", proto, h.StatusCode, h.Reason)
	} else if !isToken(h.Method) || h.Target == "" || strings.ContainsAny(h.Target, " \t") {
		return fmt.Errorf("http1: cannot make a request line of %s (RFC 9112, 3)", excerpt(line))
	}
	if strings.ContainsAny(line, "\r\n\x00") {
		return fmt.Errorf("http1: start line %s holds CR, LF or NUL (RFC 9112, 3 and 4)", excerpt(line))
	}
	b.WriteString(line + "\r\n")
	return nil
}
