package wget

import (
	"bytes"
	"io"
	"net/url"
	"strings"

	"quire/internal/lines"
	"quire/model"
)

// rejectedHead is the start of the file from --rejected-log: columns separated by tabs, with Wget's
// own escapes.
const rejectedHead = "REASON\tU_URL\t"

// reasons are the values of its first column.
var reasons = map[string]model.Miss{
	"ROBOTS": model.MissRobots,
	"DOMAIN": model.MissScope, "PARENT": model.MissScope, "LIST": model.MissScope, "REGEX": model.MissScope,
	"RULES":       model.MissScope,
	"SPANNEDHOST": model.MissScope, "ABSOLUTE": model.MissScope, "NOTHTTPS": model.MissScope,
	"NONHTTP": model.MissScope,
}

// readRejected yields the URLs not followed. It calls bad for unreadable lines.
func readRejected(in io.Reader, each func(model.Fetch) bool, bad func(l *lines.Reader, problem string)) error {
	l := lines.NewReader(in)
	for l.Scan() {
		if len(l.Text) == 0 || bytes.HasPrefix(l.Text, []byte(rejectedHead)) {
			continue
		}
		columns := strings.Split(string(l.Text), "\t")
		if len(columns) < 10 || l.Long {
			bad(l, "it has not the columns of --rejected-log")
			continue
		}
		f := model.Fetch{URI: plainURL(columns[1]), Via: plainURL(columns[9]), Size: -1, Offset: -1, Line: l.Number,
			Miss:  reasons[columns[0]],
			Notes: []string{"rejected:" + columns[0]}}
		if f.Miss == "" && columns[0] != "BLACKLIST" { // means that it was requested before
			f.Miss = model.MissUntried
		}
		if !each(f) {
			return nil
		}
	}
	return l.Err()
}

// plainURL decodes a column; Wget escapes everything except letters, digits and a few signs.
func plainURL(column string) string {
	plain, err := url.PathUnescape(column)
	if err != nil {
		plain = column
	}
	return withoutUser(plain)
}
