package bare

import (
	"regexp"
	"strings"
	"time"

	"quire/source/records"
)

// name has the facts from the name of a container.
type name struct {
	Stem   string    // the name without the endings of containers
	Prefix string    // common start of the names of one run; "" if the name follows no pattern
	Time   time.Time // start of the container; zero if the name does not state it
	Serial string    // its number in the run
	Host   string    // host that wrote it, mostly with process and port
	Habit  string    // the naming pattern
}

// The patterns, the most specific first; the groups are prefix, time, serial, host, by name. A time
// has 14 digits (Heritrix 1), 17 (Heritrix 3), or 20 (pywb).
var habits = []struct {
	pattern *regexp.Regexp
	habit   string
}{
	{regexp.MustCompile(`^(?P<prefix>.+)-(?P<time>\d{14}|\d{17})-(?P<serial>\d{5,6})-(?P<host>.+)$`),
		"prefix-time-serial-host (Heritrix and what is built on it)"},
	{regexp.MustCompile(`^(?P<prefix>.+)-(?P<time>\d{14}|\d{17})-(?P<serial>\d+)$`),
		"prefix-time-serial (Archive-It, Common Crawl, Browsertrix)"},
	{regexp.MustCompile(`^(?P<prefix>.+)-(?P<time>\d{14}|\d{17}|\d{20})-(?P<host>[^-\d].*)$`),
		"prefix-time-host (pywb, Webrecorder, Save Page Now)"},
	{regexp.MustCompile(`^(?P<prefix>\w+?)_(?P<serial>\d+)_(?P<time>\d{14}|\d{17})_(?P<host>\w.*)$`),
		"prefix_part_time_machine (Alexa)"},
	{regexp.MustCompile(`^(?P<prefix>[A-Z0-9]+)_(?P<host>crawl\d+)\.(?P<time>\d{14})$`), "prefix_machine.time (Alexa)"},
	{regexp.MustCompile(`^(?P<prefix>.+)[-._](?P<time>\d{8}|\d{12}|\d{14}|\d{17}|\d{20})$`),
		"prefix.time (Alexa, Webrecorder)"},
	{regexp.MustCompile(`^(?P<prefix>.+)-(?P<serial>\d{5,6}|meta)$`), "prefix-serial (wget, Alexa before 2000)"},
}

// parseName parses the name of a container.
func parseName(p string) name {
	stem := records.Stem(p)
	for _, h := range habits {
		m := h.pattern.FindStringSubmatch(stem)
		if m == nil {
			continue
		}
		part := func(group string) string {
			if i := h.pattern.SubexpIndex(group); i >= 0 {
				return m[i]
			}
			return ""
		}
		n := name{Stem: stem, Prefix: part("prefix"), Time: parseTime(part("time")), Serial: part("serial"),
			Host: part("host"), Habit: h.habit}
		if part("time") == "" || !n.Time.IsZero() {
			return n
		}
	}
	return name{Stem: stem}
}

// parseTime parses a time with the given digits, UTC. It returns zero for years before web
// archiving or in the future.
func parseTime(digits string) time.Time {
	var layout string
	switch len(digits) {
	case 8:
		layout = "20060102"
	case 12:
		layout = "200601021504"
	case 14, 17, 20:
		layout = "20060102150405"
	default:
		return time.Time{}
	}
	t, err := time.Parse(layout, digits[:len(layout)])
	if err != nil || t.Year() < 1990 || t.Year() > 2100 {
		return time.Time{}
	}
	if fraction := digits[len(layout):]; fraction != "" {
		d, _ := time.ParseDuration("0." + fraction + "s") // digits only
		t = t.Add(d)
	}
	return t
}

var (
	ofNAS     = regexp.MustCompile(`^(?:(.+)-)?(\d+)-(\d+)$`)
	archiveIt = regexp.MustCompile(`^ARCHIVEIT-(\d+)-(.+)$`)

	// by the Internet Archive, for libraries
	extraction = regexp.MustCompile(`(?i)(^|[-_])(HISTORICAL|EXTRACTION|EXTRACTED)([-_]|$)`)
)

// parts returns the facts that the prefix itself contains.
func parts(prefix string) [][2]string {
	if m := archiveIt.FindStringSubmatch(prefix); m != nil {
		return [][2]string{{"collection of Archive-It", m[1]}, {"crawl of Archive-It", m[2]}}
	}
	if m := ofNAS.FindStringSubmatch(prefix); m != nil {
		return [][2]string{{"job of NetarchiveSuite", m[2]}, {"harvest definition of NetarchiveSuite", m[3]}}
	}
	if extraction.MatchString(prefix) {
		return [][2]string{{"extraction",
			"taken out of collections that were made before: each record may be of another crawl and another crawler"}}
	}
	return nil
}

// companion returns the common start of the names of an index or checksum list and its container,
// or "" for a list of a whole folder.
func companion(base string) (stem string, kind kind) {
	base, _ = cutEnding(base, ".gz")
	for _, c := range companions {
		if stem, ok := cutEnding(base, c.suffix); ok {
			return strings.TrimSuffix(records.Stem(stem), ".ifile"), c.kind
		}
	}
	switch strings.TrimSuffix(strings.ToLower(base), ".txt") {
	case "md5sum", "md5sums", "sha1sum", "sha1sums", "sha256sum", "sha256sums", "sha512sum", "sha512sums", "checksum",
		"checksums",
		"manifest-md5", "manifest-sha1", "manifest-sha256", "manifest-sha512":
		return "", kindChecksums
	}
	return "", kindNone
}

// cutEnding removes an ending from a name, ignoring case. It compares the bytes of the name,
// because lower-case letters can be longer than capitals.
func cutEnding(name, ending string) (rest string, cut bool) {
	at := len(name) - len(ending)
	if at < 0 || !strings.EqualFold(name[at:], ending) {
		return name, false
	}
	return name[:at], true
}

// kind is the kind of a file beside containers.
type kind int

const (
	kindNone kind = iota
	kindIndex
	kindChecksums
)

var companions = []struct {
	suffix string
	kind   kind
}{
	{".cdx", kindIndex}, {".cdxj", kindIndex}, {".dat", kindIndex}, {".idx", kindIndex},
	{".md5", kindChecksums}, {".md5sum", kindChecksums}, {".sha1", kindChecksums}, {".sha256", kindChecksums},
	{".sha512", kindChecksums},
}
