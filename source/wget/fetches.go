package wget

import (
	"fmt"
	"regexp"
	"strings"

	"quire/model"
)

// userInfo matches the part before the host in a URL. In a verbose log, Wget replaces a password by
// "*password*".
var userInfo = regexp.MustCompile(`^(\w+://)[^/?#]*@`)

// withoutUser removes the user information: it is not part of the resource, and may be a secret.
func withoutUser(url string) string {
	if !strings.ContainsRune(url, '@') {
		return url
	}
	return userInfo.ReplaceAllString(url, "$1")
}

// fetchOf converts an attempt to a Fetch. The WARC files of a run include responses of servers that
// refused, as with Heritrix.
func fetchOf(a *attempt, c *clock, inWARC bool) model.Fetch {
	f := model.Fetch{URI: withoutUser(a.URL), Status: a.Status, Size: a.Got, MIME: a.MIME, Offset: -1, Line: a.Line}
	if a.Short && a.concluded() {
		f.Status = 200
		f.Notes = append(f.Notes, "status concluded: it was saved")
	}
	asked, done := a.Asked, a.Done
	if asked.IsZero() {
		asked = done
	}
	if done.IsZero() {
		done = asked
	}
	if at, ok := c.utc(asked); ok {
		f.Time = at
		f.Logged, _ = c.utc(done)
		f.Duration = done.Sub(asked)
	} else {
		f.Logged = c.local(done)
		if !done.IsZero() {
			f.Notes = append(f.Notes, "zone unknown")
		}
	}
	if f.Miss = missOf(a); inWARC && f.Miss == model.MissServer {
		f.Miss = ""
	}
	for _, n := range []struct{ name, value string }{
		{"", a.Try}, {"reason:", a.Reason}, {"to:", a.Location}, {"saved:", savedAs(a)},
		{"message:", withoutUser(a.Problem)},
	} {
		if n.value != "" {
			f.Notes = append(f.Notes, n.name+n.value)
		}
	}
	if a.Kept {
		f.Notes = append(f.Notes, "not fetched again: "+a.Named)
	}
	return f
}

func savedAs(a *attempt) string {
	if !a.Saved {
		return ""
	}
	return a.Named
}

// missOf returns the reason for missing content. A redirect has no content of its own, and misses
// none.
func missOf(a *attempt) model.Miss {
	switch {
	case a.Saved || a.Kept:
		return ""
	case a.Status >= 400:
		return model.MissServer
	case a.Status >= 300:
		return ""
	case a.Status >= 200 && strings.HasSuffix(strings.TrimRight(a.Problem, ".。 "), ")"):
		return model.MissSoftware // "Cannot write to ‘x’ (Is a directory)."
	case a.Status >= 200 && a.Problem == "":
		return model.MissUnwritten // --spider
	}
	return model.MissNetwork
}

// unreadable returns a finding about a fault in a log.
func unreadable(path string, offset int64, format string, args ...any) model.Finding {
	return model.Finding{Code: findLine, Severity: model.Warning, Path: path, Offset: offset,
		Message: fmt.Sprintf(format, args...)}
}
