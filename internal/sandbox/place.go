package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// placed is a command whose files have their place.
type placed struct {
	args          []string
	input, output string // "" is standard input or output
}

// placeholder is a file in an argument: {input}, {output}, with or without an ending.
var placeholder = regexp.MustCompile(`\{(input|output)(\.[A-Za-z0-9]{1,16})?\}`)

// place puts files of the folder in the place of the placeholders.
func (c *Command) place(dir string) (placed, error) {
	p := placed{args: make([]string, len(c.Args))}
	for i, arg := range c.Args {
		var twice string
		p.args[i] = placeholder.ReplaceAllStringFunc(arg, func(found string) string {
			name := strings.Trim(found, "{}")
			file := filepath.Join(dir, name)
			of := &p.input
			if strings.HasPrefix(name, "output") {
				of = &p.output
			}
			if *of != "" && *of != file {
				twice = found
			}
			*of = file
			return file
		})
		if twice != "" {
			return p, fmt.Errorf("%s is another file than the one named before: give both the same ending", twice)
		}
		if strings.Contains(arg, "{input") && p.input == "" || strings.Contains(arg, "{output") && p.output == "" {
			return p, fmt.Errorf("%q: want {input}, {output}, or these with an ending, such as {output.png}", arg)
		}
	}
	if placeholder.MatchString(c.Args[0]) {
		return p, fmt.Errorf("%q: what is run cannot be the bytestream", c.Args[0])
	}
	return p, nil
}

// environment is all that the program is told of where it runs.
func environment(dir string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir, "LC_ALL=C.UTF-8", "TZ=UTC"}
}

// maxFiles is how many files and folders a program may make.
const maxFiles = 20_000

// below counts the bytes of all files in a folder, and the files. What a program takes away
// meanwhile does not count. It stops counting when there are more of either than may be.
func below(dir string, most int64) (bytes int64, files int) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // it is gone, or cannot be looked at
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		if files++; bytes > most || files > maxFiles {
			return fs.SkipAll
		}
		return nil
	})
	return bytes, files
}

// removeAll removes a folder, also when the program took the right to do so away.
func removeAll(dir string) error {
	if err := os.RemoveAll(dir); err == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(p, 0o700) // what still cannot be removed is told below
		}
		return nil
	})
	return os.RemoveAll(dir)
}
