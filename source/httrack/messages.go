package httrack

import (
	"bytes"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"quire/internal/lines"
)

// journal has the facts in hts-log.txt about the whole run.
type journal struct {
	Software string // "HTTrack3.49-4+libhtsjava.so.2"
	Launched string // as written, on the crawler's clock
	At       string // URLs and filters
	Command  string // command line
	Complete string // the line that states completion
	Stopped  string // the first message about an early end
}

// message is one line of hts-log.txt or hts-err.txt about one URL.
type message struct {
	Line   int64
	Clock  time.Duration
	URL    string
	Via    string
	Status int    // of an error
	Text   string // of an error, as in the log
	To     string // new place of the file
	Saved  string // path of the written file
	Whole  int64  // bytes that the server announced, of a body that broke off; 0 if the message has none
}

// readMessages reads a log. It puts lines about the run into j, and passes lines about a URL to
// each.
func readMessages(in io.Reader, j *journal, each func(message) bool) error {
	l := lines.NewReader(in)
	for l.Scan() {
		if j.take(l) {
			continue
		}
		if m, ok := parseMessage(l.Text); ok {
			m.Line = l.Number
			if !each(m) {
				return nil
			}
		}
	}
	return l.Err()
}

func (j *journal) take(l *lines.Reader) bool {
	text := string(l.Text)
	switch {
	case strings.HasPrefix(text, "HTTrack Website Copier/"):
		if strings.Contains(text, " mirror complete in ") {
			j.Complete = text
		}
		return true
	case strings.HasPrefix(text, "HTTrack") && strings.Contains(text, " launched on "):
		software, rest, _ := strings.Cut(text, " launched on ")
		launched, at, _ := strings.Cut(rest, " at ")
		j.Software, j.Launched, j.At = software, launched, at
		return true
	case j.Launched != "" && j.Command == "" && strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")"):
		j.Command = strings.TrimSpace(text[1 : len(text)-1])
		return true
	case j.Stopped == "" && stopMessage.MatchString(text):
		_, message, _ := strings.Cut(text, "rror:") // "Error:", "Panic error:"
		j.Stopped = strings.TrimSpace(message)
		return true
	}
	return false
}

// stopMessage matches messages that the mirror ended early: by a limit of bytes or time, by the
// user, by an error of the disk. HTTrack states afterwards that the mirror is complete.
var stopMessage = regexp.MustCompile(`^[0-9:]{8}\s.*rror:\s+` +
	`(More than \S+ (bytes have been transferred|seconds passed)\.\. giving up|` +
	`Exit requested by .*|Mirror aborted: .*|\* \* Fatal write error, giving up)$`)

// parseMessage parses messages about a URL, in the form of 2001 to 2003:
//
//	21:17:24	Error: 	"Not Found" (404) at link www.example.org/x (from www.example.org/)
//	21:17:24	Warning: 	File has moved from www.example.org/x to http://www.example.org/y
//	21:17:24	Debug: 	Record: www.example.org/x -> /mirror/www.example.org/x.html
func parseMessage(line []byte) (message, bool) {
	if len(line) < len(time.TimeOnly) {
		return message{}, false
	}
	clock, err := parseClock(string(line[:len(time.TimeOnly)]))
	if err != nil {
		return message{}, false
	}
	m := message{Clock: clock}
	_, text, _ := bytes.Cut(line[len(time.TimeOnly):], []byte(":"))
	s := strings.TrimSpace(string(text))
	if moved, ok := strings.CutPrefix(s, "File has moved from "); ok {
		m.URL, m.To, ok = strings.Cut(moved, " to ")
		return m, ok
	}
	if saved, ok := strings.CutPrefix(s, "Record: "); ok {
		m.URL, m.Saved, ok = strings.Cut(saved, " -> ")
		return m, ok
	}
	if broken := brokenSize.FindStringSubmatch(s); broken != nil {
		m.URL = broken[2]
		m.Whole, err = strconv.ParseInt(broken[1], 10, 64)
		return m, err == nil
	}
	failed, link, ok := strings.Cut(s, " at link ")
	if !ok || !bytes.Contains(line, []byte("Error:")) {
		return message{}, false
	}
	if length := wrongLength.FindStringSubmatch(failed); length != nil {
		m.Whole, _ = strconv.ParseInt(length[1], 10, 64) // digits; 0 if too many
	}
	m.URL, m.Via, _ = strings.Cut(strings.TrimSuffix(link, ")"), " (from ")
	open, closed := strings.LastIndex(failed, "("), strings.LastIndex(failed, ")")
	if open < 0 || closed < open {
		return message{}, false
	}
	m.Text = failed
	m.Status, err = strconv.Atoi(failed[open+1 : closed])
	return m, err == nil
}

// brokenSize and wrongLength match messages about a body that broke off.
var (
	brokenSize = regexp.MustCompile(`^file not stored in cache due to bogus state \(broken size, expected (\d+) ` +
		`got \d+\): (.+)$`)
	wrongLength = regexp.MustCompile(`Incorrect length \(\d+ Bytes, (\d+) expected\)`)
)

// duration parses "3 minutes 30 seconds" in the line about the complete mirror.
func duration(complete string) (time.Duration, bool) {
	_, rest, _ := strings.Cut(complete, " mirror complete in ")
	rest, _, _ = strings.Cut(rest, " : ")
	words := strings.Fields(strings.ReplaceAll(rest, ",", " "))
	total, ok := time.Duration(0), false
	for i := 0; i+1 < len(words); i += 2 {
		n, err := strconv.Atoi(words[i])
		unit := units[strings.TrimSuffix(words[i+1], "s")]
		if err != nil || unit == 0 || n < 0 || n > 100000 {
			return 0, false
		}
		total, ok = total+time.Duration(n)*unit, true
	}
	return total, ok
}

var units = map[string]time.Duration{"second": time.Second, "minute": time.Minute, "hour": time.Hour,
	"day": 24 * time.Hour}
