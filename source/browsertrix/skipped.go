package browsertrix

import (
	"bytes"
	"encoding/json"
	"io"

	"quire/format/wacz"
	"quire/internal/lines"
	"quire/internal/secret"
	"quire/model"
)

// skipReasons are the reasons in reports/skippedPages.jsonl.
var skipReasons = map[string]model.Miss{
	"outOfScope": model.MissScope, "redirectToExcluded": model.MissScope, "pageLimit": model.MissQuota,
	"robotsTxt": model.MissRobots, "duplicate": model.MissUnwritten,
}

// readSkipped yields the URLs that were seen but not followed.
func readSkipped(in io.Reader, each func(model.Fetch) bool, bad func(l *lines.Reader, problem string)) error {
	l := lines.NewReader(in)
	l.Max = maxLogLine
	for l.Scan() {
		if len(bytes.TrimSpace(l.Text)) == 0 {
			continue
		}
		var s struct{ URL, TS, SeedURL, Reason, Format string }
		if err := json.Unmarshal(l.Text, &s); err != nil || l.Long || s.URL == "" && s.Format == "" {
			bad(l, "it is not a JSON page entry")
			continue
		}
		if s.URL == "" { // the first line describes the list
			continue
		}
		f := model.Fetch{URI: secret.Conceal(s.URL), Size: -1, Via: secret.Conceal(s.SeedURL), Offset: -1,
			Line: l.Number, Miss: skipReasons[s.Reason], Notes: []string{"skipped:" + s.Reason}}
		f.Time, _ = wacz.ParseTime(s.TS) // zero if unreadable
		f.Logged = f.Time
		if f.Miss == "" {
			f.Miss = model.MissUntried
		}
		if !each(f) {
			return nil
		}
	}
	return l.Err()
}
