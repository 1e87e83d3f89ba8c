package xmlstream

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Int is an optional integer, for optional attributes. The zero value is absent; Int is comparable.
type Int struct {
	value int64
	set   bool
}

// IntOf returns an Int that is present.
func IntOf(v int64) Int { return Int{value: v, set: true} }

// Get returns the value and whether it is present.
func (i Int) Get() (v int64, present bool) { return i.value, i.set }

// String returns the value in decimal, or "" if it is absent.
func (i Int) String() string {
	if !i.set {
		return ""
	}
	return strconv.FormatInt(i.value, 10)
}

// ParseInt parses an xs:long; an empty string gives the absent Int.
func ParseInt(s string) (Int, error) {
	if s == "" {
		return Int{}, nil
	}
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return Int{}, fmt.Errorf("%q is not a whole number of 64 bits", s)
	}
	return IntOf(v), nil
}

// timeLayout is xs:dateTime in UTC with all decimals of the time's second.
const timeLayout = "2006-01-02T15:04:05.999999999Z"

var errYear = errors.New("year outside 1 to 9999, on which xs:dateTime readers disagree")

// AppendTime appends t to dst as xs:dateTime in UTC.
func AppendTime(dst []byte, t time.Time) ([]byte, error) {
	t = t.UTC()
	if y := t.Year(); y < 1 || y > 9999 {
		return dst, errYear
	}
	return t.AppendFormat(dst, timeLayout), nil
}

// FormatTime returns t as xs:dateTime in UTC; the zero time gives "".
func FormatTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	out, err := AppendTime(nil, t)
	if err != nil {
		return ""
	}
	return string(out)
}

// ParseTime parses xs:dateTime. A time without zone is read as UTC: the schema leaves that open,
// and Quire writes only UTC. An empty string gives the zero time.
func ParseTime(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not an xs:dateTime such as 2026-01-15T10:00:00Z", s)
}
