package rewrite

import (
	"bufio"
	"bytes"
	"io"
	"net/url"
	"strings"
)

// callbacks are the parameters in which pages name the function that data is handed to (JSONP).
var callbacks = []string{"callback", "jsonp", "jsonpcallback", "jsoncallback", "cb", "_callback", "func",
	"json_callback"}

// Callback says which name the function in a body has, and which it would have to have. A page
// makes the name up each time it is shown (jQuery17_1425, with a number that is the time), so that
// the capture which is found for what it asks has another. Both are URLs; false where they name the
// same, or one of them none.
func Callback(asked, captured string) (from, to string, ok bool) {
	from, to = callbackOf(captured), callbackOf(asked)
	return from, to, from != "" && to != "" && from != to
}

// callbackOf is the name in a URL's query, if it is one that a function can have.
func callbackOf(u string) string {
	_, query, _ := strings.Cut(u, "?")
	query, _, _ = strings.Cut(query, "#")
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		key, value, _ := strings.Cut(pair, "=")
		for _, name := range callbacks {
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

// isFunction: a name, or several with points between them, not beginning with a digit; and not too
// long to be looked for.
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

// maxCall is how far into a body the call may begin, in bytes.
const maxCall = 1 << 10

// Rename copies a script that is the call of a function, and gives that another name: "from("
// becomes "to(", also behind comments and "typeof from === 'function' &&". A script that begins
// otherwise is copied as it is: scripts are not rewritten.
func Rename(w io.Writer, r io.Reader, from, to string) error {
	in := bufio.NewReaderSize(r, maxCall)
	head, _ := in.Peek(maxCall) // what goes wrong is met again when it is copied
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

// renamed gives what stands in the place of the first n bytes of a script.
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
