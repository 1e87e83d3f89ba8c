package xmlstream

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// target is the name of the processing instruction that keeps bytes that XML cannot carry.
// docs/reference/350_xml-escaping.md is its specification.
const target = "quire-bytes"

// keepOriginal writes the processing instruction with the exact bytes of a value; kind and name
// identify the value.
func (w *Writer) keepOriginal(kind, name, value string) {
	w.buf = append(w.buf, "<?"+target+" "...)
	w.buf = append(append(append(w.buf, kind...), name...), ' ')
	const step = chunkSize / 3 * 3 // whole groups, so the pieces form one base64 string
	for len(value) > 0 && w.err == nil {
		n := min(step, len(value))
		w.buf = base64.StdEncoding.AppendEncode(w.buf, []byte(value[:n]))
		value = value[n:]
		w.flushFull()
	}
	w.buf = append(w.buf, "?>"...)
}

// original is a parsed processing instruction: the exact bytes of an attribute, or of text if attr
// is "".
type original struct {
	attr  string // as written, with its prefix
	value string
}

// errOriginal means that a document was edited by a person or program that did not know the rule.
var errOriginal = errors.New("the value was edited: remove the " + target +
	" instruction to keep the edited value")

// parseOriginal parses the content of Quire's processing instruction.
func parseOriginal(content []byte) (o original, err error) {
	kind, data, found := strings.Cut(string(content), " ")
	if !found {
		return o, fmt.Errorf("<?%s %s?>: want a kind and base64", target, kind)
	}
	value, err := base64.StdEncoding.Strict().DecodeString(data)
	if err != nil {
		return o, fmt.Errorf("<?%s %s?>: %w", target, kind, err)
	}
	o.value = string(value)
	switch {
	case kind == "text":
	case len(kind) > 1 && kind[0] == '@':
		o.attr = kind[1:]
	default:
		return o, fmt.Errorf("<?%s %s?>: neither text nor an attribute", target, kind)
	}
	return o, nil
}

// restoreText replaces the end of run, the replacement text, by the original.
func restoreText(run []byte, o original) ([]byte, error) {
	shown := Sanitize(o.value)
	if !bytes.HasSuffix(run, []byte(shown)) {
		return nil, errOriginal
	}
	return append(run[:len(run)-len(shown)], o.value...), nil
}
