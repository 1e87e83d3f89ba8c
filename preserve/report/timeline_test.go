package report

import (
	"bytes"
	"strings"
	"testing"

	"quire/model"
)

// A wrong date does not squeeze all others into one bar; it is reported.
func TestDatesThatCannotBeRightAreNotDrawn(t *testing.T) {
	for _, test := range []struct {
		name  string
		spans [][2]string
		unit  string
		want  string // on the page; "" without omissions
	}{
		{"none", [][2]string{{"2020-01-01T00:00:00Z", "2020-01-05T00:00:00Z"}}, "day", ""},
		{"1970", [][2]string{{"2020-01-01T00:00:00Z", "2020-01-05T00:00:00Z"},
			{"1970-01-01T00:00:00Z", "2020-01-03T00:00:00Z"}}, "day", "captures dated before 1990 (in 1)."},
		{"2605", [][2]string{{"2020-01-01T00:00:00Z", "2605-01-05T00:00:00Z"},
			{"2020-01-04T00:00:00Z", "2020-01-04T00:00:00Z"}}, "day",
			"captures dated after this report was made (in 1)."},
		{"both", [][2]string{{"1970-01-01T00:00:00Z", "2605-01-05T00:00:00Z"},
			{"2020-01-04T00:00:00Z", "2020-01-04T00:00:00Z"}}, "day",
			"before 1990 (in 1) or after this report was made (in 1)."},
		{"nothing else", [][2]string{{"1970-01-01T00:00:00Z", "1970-01-02T00:00:00Z"}}, "day", ""},
		{"the clock is wrong", [][2]string{{"2031-01-01T00:00:00Z", "2033-01-02T00:00:00Z"}}, "month", ""},
	} {
		f := newFolder(nil)
		for _, s := range test.spans {
			f.add(&model.Container{First: at(s[0]), Last: at(s[1])})
		}
		page := f.page(Options{Made: *at("2030-01-01T00:00:00Z")})
		var out bytes.Buffer
		if err := pages.ExecuteTemplate(&out, "begin", page); err != nil {
			t.Fatal(err)
		}
		if page.Unit != test.unit || !strings.Contains(out.String(), test.want) ||
			(test.want == "") == strings.Contains(out.String(), "Not drawn") {
			t.Errorf("%s: by %s, %d bars, before %d, behind %d", test.name, page.Unit, len(page.Bars), page.Before,
				page.Behind)
		}
	}
}
