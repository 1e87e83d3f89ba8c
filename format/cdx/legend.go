package cdx

import (
	"fmt"
	"strings"
)

// Legends of common indexes.
const (
	Legend11     = "N b a m s k r M S V g" // Internet Archive, pywb, OpenWayback: eleven columns
	Legend10     = "N b a m s k r M V g"
	Legend9      = "N b a m s k r V g"
	LegendWget   = "a b a m s k r M V g u" // the first URL is in the place of the key
	LegendWCT    = "b e a m s c v n g"     // Web Curator Tool until version 2
	LegendNAS    = "a e b m n g v k"       // NetarchiveSuite, always without a legend line; the last is an MD5
	LegendOldNAS = "a e b m n g v"         // before 2005
)

// Kind is a form of index.
type Kind string

// The forms.
const (
	Unknown Kind = ""
	Classic Kind = "cdx"
	JSON    Kind = "cdxj"
	ZipNum  Kind = "zipnum" // each line is for one block of a compressed index
)

// Form describes how an index is read.
type Form struct {
	Kind      Kind
	Legend    string // of classic CDX: letters of the columns, separated by spaces
	Delimiter byte   // between columns
	Guessed   bool   // without a legend line: derived from the number of columns and the place of the time
	Meta      []Meta // the first hundred lines about the index itself
}

// Meta is a line about the index itself: !meta 0 {"format":"cdxj-gzip-1.0"}.
type Meta struct {
	Name string // with its initial ! or @
	Text string // the rest of the line
}

const maxMeta = 100

// column is the destination of a column's values.
type column struct {
	letter byte
	place  place
}

// place is a field of Entry, or no field.
type place int

const (
	toExtra place = iota
	toKey
	toURL
	toTime
	toMIME
	toStatus
	toDigest
	toRedirect
	toLength
	toOffset
	toFile
	toIP
	toRecordID
)

// preferred lists, for each field, the letters that fill it, the better one first.
var preferred = []struct {
	place   place
	letters string
}{
	{toKey, string(letterKey) + string(letterOldKey)}, {toURL, string(letterURL)}, {toTime, string(letterTime)},
	{toMIME, string(letterMIME)},
	{toStatus, string(letterStatus)}, {toDigest, string(letterDigest) + string(letterOldDigest)},
	{toRedirect, string(letterRedirect)},
	{toLength, string(letterLength) + string(letterDocument)},
	{toOffset, string(letterOffset) + string(letterInflated)},
	{toFile, string(letterFile)}, {toIP, string(letterIP)}, {toRecordID, string(letterRecord)},
}

// columnsOf parses a legend: letters separated by spaces.
func columnsOf(legend string) ([]column, error) {
	words := strings.Fields(legend)
	if len(words) == 0 {
		return nil, fmt.Errorf("the legend names no column")
	}
	var columns []column
	letters := ""
	for _, w := range words {
		if len(w) != 1 {
			return nil, fmt.Errorf("the legend names a column %.20q, which is not a letter", w)
		}
		columns = append(columns, column{letter: w[0]})
		letters += w
	}
	for _, p := range preferred {
		for _, letter := range p.letters {
			if i := strings.IndexRune(letters, letter); i >= 0 {
				columns[i].place = p.place
				break
			}
		}
	}
	// wget's legend has the URL twice; the first is in the place of the key.
	if first := strings.IndexByte(letters, letterURL); first >= 0 && !strings.ContainsAny(letters, "NA") {
		if second := strings.IndexByte(letters[first+1:], letterURL); second >= 0 {
			columns[first].place, columns[first+1+second].place = toKey, toURL
		}
	}
	return columns, nil
}

// legendOf reports whether a line is a legend, and returns its delimiter: the character before CDX.
// The Web Curator Tool and Alexa omitted that character.
func legendOf(line string) (legend string, delimiter byte, is bool) {
	rest, ok := strings.CutPrefix(line, "CDX")
	if !ok && len(line) > 4 && !isWordByte(line[0]) {
		rest, ok = strings.CutPrefix(line[1:], "CDX")
		ok = ok && rest[0] == line[0]
	}
	if !ok || rest == "" || isWordByte(rest[0]) {
		return "", 0, false
	}
	delimiter = rest[0]
	return strings.Join(strings.FieldsFunc(rest, func(r rune) bool { return r == rune(delimiter) }), " "), delimiter,
		true
}

func isWordByte(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// headless are the forms that occur without a legend line. The number of columns and the place of
// the time identify them.
var headless = []struct {
	columns, time int
	legend        string
}{
	{11, 1, Legend11}, {10, 1, Legend10}, {9, 1, Legend9}, {9, 0, LegendWCT}, {8, 2, LegendNAS}, {7, 2, LegendOldNAS},
}

// guess returns the legend that fits the columns of a line, or "".
func guess(words []string) string {
	for _, h := range headless {
		if len(words) == h.columns && len(words[h.time]) == len(timestampLayout) {
			if _, ok := parseTime(words[h.time]); ok {
				return h.legend
			}
		}
	}
	return ""
}
