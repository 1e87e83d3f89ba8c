package rewrite

import (
	"bufio"
	"bytes"
	"io"
	"net/url"
	"strings"
)

// Callback returns the function name in a captured body, and the name that the page expects. Pages
// invent the name on each visit (jQuery17_1425, with the time as a number), so the captured name
// differs. Both are URLs, and arguments are those that name a function. ok is false if the names are
// equal, or one is missing.
func Callback(asked, captured string, arguments []string) (from, to string, ok bool) {
	from, to = callbackOf(captured, arguments), callbackOf(asked, arguments)
	return from, to, from != "" && to != "" && from != to
}

// callbackOf returns the callback name in a URL's query, if it is a valid function name.
func callbackOf(u string, arguments []string) string {
	_, query, _ := strings.Cut(u, "?")
	query, _, _ = strings.Cut(query, "#")
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		key, value, _ := strings.Cut(pair, "=")
		for _, name := range arguments {
			if !strings.EqualFold(key, name) {
				continue
			}
			value, err := url.QueryUnescape(value)
			if err == nil && isFunction(value) {
				return value
			}
		}
	}
	return ""
}

// isFunction reports whether s is a name, or several separated by dots, not starting with a digit,
// and not too long to search for.
func isFunction(s string) bool {
	if s == "" || len(s) > 200 || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	for i := range len(s) {
		if !inName(s[i]) {
			return false
		}
	}
	return true
}

func inName(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c == '.'
}

// maxCall limits the offset of the call in a body, in bytes.
const maxCall = 1 << 10

// Rename copies a script that is a function call, and renames the function: "from(" becomes "to(",
// also after comments and "typeof from === 'function' &&". It copies other scripts unchanged:
// scripts are not rewritten.
func Rename(w io.Writer, r io.Reader, from, to string) error {
	in := bufio.NewReaderSize(r, maxCall)
	head, _ := in.Peek(maxCall) // the copy meets the same error again
	out, n := renamed(head, from, to)
	if _, err := w.Write(out); err != nil {
		return err
	}
	if _, err := in.Discard(n); err != nil {
		return err
	}
	_, err := io.Copy(w, in)
	return err
}

// renamed returns the replacement of the first n bytes of a script.
func renamed(head []byte, from, to string) (out []byte, n int) {
	at := len(head) - len(bytes.TrimPrefix(head, []byte(markUTF8)))
	out = append(out, head[:at]...)
	for at < len(head) {
		rest := head[at:]
		length, name := 1, false
		switch {
		case bytes.HasPrefix(rest, []byte("/*")):
			if length = bytes.Index(rest[2:], []byte("*/")) + 4; length == 3 {
				return nil, 0
			}
		case bytes.HasPrefix(rest, []byte("//")):
			if length = bytes.IndexByte(rest, '\n') + 1; length == 0 {
				return nil, 0
			}
		case bytes.HasPrefix(rest, []byte("'function'")) || bytes.HasPrefix(rest, []byte(`"function"`)):
			length = len("'function'")
		case inName(rest[0]):
			for length < len(rest) && inName(rest[length]) {
				length++
			}
			switch string(rest[:length]) {
			case from:
				name = true
			case "typeof":
			default:
				return nil, 0
			}
		case !isBlank(rest[0]) && strings.IndexByte(";=!&(", rest[0]) < 0:
			return nil, 0
		}
		at += length
		if !name {
			out = append(out, rest[:length]...)
			continue
		}
		out = append(out, to...)
		if called := bytes.TrimLeft(head[at:], " \t"); len(called) > 0 && called[0] == '(' {
			return out, at
		}
	}
	return nil, 0
}
