package wget

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The form of log lines. Wget translates the words into forty languages, so the patterns ignore
// them; order, signs and numbers are the same in all.
const stamp = `(\d{4}-\d\d-\d\d )?(\d\d:\d\d:\d\d)`

var (
	lineAsked  = regexp.MustCompile(`^--` + stamp + `--  ?\s*(\([^)]*\)\s*)?(\S.*)$`)
	lineShort  = regexp.MustCompile(`^` + stamp + ` URL: ?(\S.*) \[([\d,.]+)(?:/([\d,.]+))?\] -> "(.*)"(?: \[\d+\])?$`)
	lineSpider = regexp.MustCompile(`^` + stamp + ` [^\s:：]+ ?[:：] ?(\w+://\S+) +(\d{3}) (.*)$`)
	lineSaved  = regexp.MustCompile(`^` + stamp + ` \([^)]*\)[\s\x{a0}]*[-–—] ?(.*?) ?\[([\d,.]+)(?:/([\d,.]+))?\]\)?$`)
	lineBroken = regexp.MustCompile(`^` + stamp + ` \([^)]*\)[\s\x{a0}]*[-–—] ?(.*)$`)
	lineError  = regexp.MustCompile(`^(?:[^\d\s]\S* )?` + stamp + `[^\d(]{0,40}(\d{3})[\s\x{a0}:：.]*(.*?)[.。]?$`)
	lineNamed  = regexp.MustCompile(`^(\w+://\S.*):$`)
	lineEnd    = regexp.MustCompile(`^(\S.*?)[\s\x{a0}]+(?:--|—)[\s\x{a0}]?` + stamp + `[\s\x{a0}]?(?:--|—)$`)
	lineAnswer = regexp.MustCompile(`^\S.*(?:\.\.\.|…)\s*(\d{3})(?: (.*))?$`)
	lineStatus = regexp.MustCompile(`^\s*(?:1 )?HTTP/\d+(?:\.\d+)? +(\d{3})(?: (.*))?$`)
	lineBare   = regexp.MustCompile(`^(\d{3})(?: (.*))?$`)
	lineMoved  = regexp.MustCompile(`^[^\s:：][^:：]{0,40}[:：]\s?(\S+)(?:\s+\[[^\]]*\])?$`)
	lineLength = regexp.MustCompile(`^[^\s:：][^:：]{0,40}[:：]\s?(.*?)\s*(?:\(.*\)\s*)?\[([\w.+-]+/[^\]]+)\]$`)
	lineSize   = regexp.MustCompile(`^[^\s:：][^:：]{0,40}[:：]\s?([\d,.]+)(?: \([^)]*\))?$`)
	lineArrow  = regexp.MustCompile("^\\s+=> ?[`'‘\"](.*)['’\"]$")
	lineDebug  = regexp.MustCompile(`^DEBUG output created by (Wget .*?)\.?$`)
)

// parseStamp parses the time of a line. Without a day, it is on the first day of year 1.
func parseStamp(day, clock string) time.Time {
	if day == "" {
		day = "0001-01-01 "
	}
	t, err := time.Parse(time.DateTime, day+clock)
	if err != nil {
		return time.Time{}
	}
	return t
}

// thousands removes the signs between thousands.
var thousands = strings.NewReplacer(",", "", ".", "")

// number parses a number that may have signs between its thousands, and returns -1 for other text.
func number(s string) int64 {
	n, err := strconv.ParseInt(thousands.Replace(s), 10, 64)
	if err != nil || s == "" {
		return -1
	}
	return n
}

// pairs are the quotation marks of the languages. A name may contain a mark itself: it ends at the
// last closing one.
var pairs = []struct{ open, close string }{
	{"‘", "’"}, {"`", "'"}, {"«", "»"}, {"»", "«"}, {"„", "“"}, {"„", "”"}, {"“", "”"}, {"”", "”"}, {"「", "」"},
	{"'", "'"}, {`"`, `"`}, {"‚", "‘"}, {"’", "’"},
}

// quoted returns the quoted texts in a line, for each matching pair of marks.
func quoted(line string) []string {
	var all []string
	for _, p := range pairs {
		from := strings.Index(line, p.open)
		if from < 0 {
			continue
		}
		rest := line[from+len(p.open):]
		to := strings.LastIndex(rest, p.close)
		if to <= 0 {
			continue
		}
		all = append(all, strings.Trim(rest[:to], " \u00a0"))
	}
	return all
}
