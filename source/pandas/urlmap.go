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

// mapped is a line of url.map: the original URL of a file.
type mapped struct {
	url  string
	line int64
}

// urlMap has the content of url.map: the URLs by the path of the file within the instance. PANDAS
// makes it after gathering, from the cache of HTTrack. Several URLs of one file have a line each.
type urlMap struct {
	name   string // its path
	byFile map[string][]mapped
	first  string // file of the first line: the start page
	key    key    // the instance in its lines
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
		// a URL may contain the separator, a file from PANDAS never does
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
			tell(codePath, "the file leads out of the instance, or belongs to none")
			continue
		case m.key == key{}:
			m.key = k
		case m.key != k:
			tell(CodeMap, "it belongs to another instance")
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
		find(CodeMap, model.Warning, 0, fmt.Sprintf("%d more lines are faulty", odd-maxOdd))
	}
	return m, nil
}

// within removes PI and date from a path, and reports whether the rest stays within the instance.
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

// forced are the media types that .panaccess-mime.types defines for the server, by the paths of the
// files within the instance.
type forced map[string]forcedType

type forcedType struct{ mime, from string }

var (
	ofFile = regexp.MustCompile(`^\s*<Files(?:Match)?\s+"?([^">]+)"?\s*>`)
	ofType = regexp.MustCompile(`^\s*ForceType\s+(\S+)`)
)

// read reads a file .panaccess-mime.types. Its types apply to the files in the same folder.
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
