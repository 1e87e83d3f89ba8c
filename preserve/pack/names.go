package pack

import (
	"encoding/hex"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"quire/internal/portable"
)

// checkID rejects an identifier that XML, JSON or a shell would change.
func checkID(id string) error {
	if !portable.Carried(id) || strings.ContainsRune(id, utf8.RuneError) || strings.TrimSpace(id) != id {
		return fmt.Errorf("the identifier %q cannot be used: avoid control characters, backslashes, and "+
			"spaces at its ends", id)
	}
	return nil
}

// makeID makes an identifier from a short name, the day of the first capture and a digest over all
// files (2.1).
func makeID(name string, first *time.Time, content []byte) string {
	id := slug(name)
	if first != nil {
		id += first.UTC().Format("-20060102")
	}
	return id + "-" + hex.EncodeToString(content)[:8]
}

// maxSlug keeps identifiers short enough to read aloud.
const maxSlug = 40

// slug keeps letters and digits of a name, and replaces the rest by hyphens.
func slug(name string) string {
	for _, suffix := range []string{".gz", ".zst", ".warc", ".arc"} {
		name = strings.TrimSuffix(name, suffix)
	}
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			b.WriteRune(r)
		} else if s := b.String(); s != "" && !strings.HasSuffix(s, "-") {
			b.WriteByte('-')
		}
		if b.Len() >= maxSlug {
			break
		}
	}
	if s := strings.Trim(b.String(), "-"); s != "" {
		return s
	}
	return "package"
}
