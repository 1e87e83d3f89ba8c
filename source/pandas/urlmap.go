package pandas

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"

	"quire/internal/lines"
	"quire/model"
)

// mapped is a line of url.map: which URL a file was gathered from.
type mapped struct {
	url  string
	line int64
}

// urlMap is what url.map tells: by the path of the file within the instance, the URLs. PANDAS makes
// it after gathering, of the cache of HTTrack; of several URLs that lead to one file each has a
// line.
type urlMap struct {
	name   string // where it was read
	byFile map[string][]mapped
	first  string // file of the first line: the page to begin with
	key    key    // that its lines name
	lines  int64
}

// maxOdd bounds the findings about one file.
const maxOdd = 20

// readURLMap reads lines of the form "url^^13982/20030403-0900/host/path".
func readURLMap(in io.Reader, name string,
	find func(code string, severity model.Severity, at int64, message string)) (*urlMap, error) {
	m := &urlMap{name: name, byFile: map[string][]mapped{}}
	l := lines.NewReader(in)
	odd := 0
	tell := func(code, problem string) {
		if odd++; odd <= maxOdd {
			find(code, model.Warning, l.Offset, fmt.Sprintf("line %d: %s: %.100q", l.Number, problem, l.Text))
		}
	}
	for l.Scan() {
		// a URL may have the separator in it, a file that PANDAS kept has not
		at := bytes.LastIndex(l.Text, []byte("^^"))
		if at < 0 {
			if len(bytes.TrimSpace(l.Text)) > 0 {
				tell(CodeMap, "it has no ^^")
			}
			continue
		}
		m.lines++
		file, k, ok := within(string(l.Text[at+2:]))
		switch {
		case !ok:
			tell(codePath, "the file leads out of the instance, or is of none")
			continue
		case m.key == key{}:
			m.key = k
		case m.key != k:
			tell(CodeMap, "it is of another instance")
			continue
		}
		if m.first == "" {
			m.first = file
		}
		m.byFile[file] = append(m.byFile[file], mapped{string(l.Text[:at]), l.Number})
	}
	if err := l.Err(); err != nil {
		return nil, err
	}
	if odd > maxOdd {
		find(CodeMap, model.Warning, 0, fmt.Sprintf("%d more lines are odd", odd-maxOdd))
	}
	return m, nil
}

// within takes PI and date off a path, and says whether the rest stays within the instance.
func within(p string) (file string, k key, ok bool) {
	pi, rest, _ := strings.Cut(p, "/")
	date, file, deep := strings.Cut(rest, "/")
	k = key{pi, date}
	clean := path.Clean(file)
	if !deep || !ofPI.MatchString(pi) || !ofDate.MatchString(date) || strings.HasPrefix(file, "/") || clean == "." ||
		clean == ".." || strings.HasPrefix(clean, "../") {
		return "", k, false
	}
	return clean, k, true
}

// forced are the media types that .panaccess-mime.types has the server declare, by the paths of the
// files within the instance.
type forced map[string]forcedType

type forcedType struct{ mime, from string }

var (
	ofFile = regexp.MustCompile(`^\s*<Files(?:Match)?\s+"?([^">]+)"?\s*>`)
	ofType = regexp.MustCompile(`^\s*ForceType\s+(\S+)`)
)

// read reads one such file: it is about the files beside it.
func (f forced) read(in io.Reader, dir, name string) error {
	l := lines.NewReader(in)
	current := ""
	for l.Scan() {
		if m := ofFile.FindSubmatch(l.Text); m != nil {
			current = string(m[1])
		} else if m := ofType.FindSubmatch(l.Text); m != nil && current != "" {
			f[path.Join(dir, path.Base(current))] = forcedType{string(m[1]), fmt.Sprintf("%s, line %d", name, l.Number)}
			current = ""
		}
	}
	return l.Err()
}
