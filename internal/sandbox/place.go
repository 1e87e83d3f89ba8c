package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// placed is a command with paths for its files.
type placed struct {
	args          []string
	input, output string // "" means standard input or output
}

// placeholder is a file in an argument: {input} or {output}, with or without an extension.
var placeholder = regexp.MustCompile(`\{(input|output)(\.[A-Za-z0-9]{1,16})?\}`)

// place replaces the placeholders by files in the folder.
func (c *Command) place(dir string) (placed, error) { return c.placeNamed(dir, "") }

// placeNamed is place with an extension for {input}: "jpg", or "" for none.
func (c *Command) placeNamed(dir, extension string) (placed, error) {
	p := placed{args: make([]string, len(c.Args))}
	for i, arg := range c.Args {
		var twice string
		p.args[i] = placeholder.ReplaceAllStringFunc(arg, func(found string) string {
			name := strings.Trim(found, "{}")
			if name == inputName && extension != "" {
				name += "." + extension
			}
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
			return p, fmt.Errorf("%s is a second file: give both placeholders the same extension", twice)
		}
		if strings.Contains(arg, "{input") && p.input == "" || strings.Contains(arg, "{output") && p.output == "" {
			return p, fmt.Errorf("%q: want {input} or {output}, or one with an extension, such as "+
				"{output.png}", arg)
		}
	}
	if placeholder.MatchString(c.Args[0]) {
		return p, fmt.Errorf("%q: the program cannot be the bytestream", c.Args[0])
	}
	return p, nil
}

// inputName is the name of the file with the bytestream, without its extension.
const inputName = "input"

// extensionForm has the extensions that a program may see: no separators, no options, no controls.
var extensionForm = regexp.MustCompile(`^[a-z0-9]{1,16}$`)

// Extension returns the extension of a file name for a program's input, in lower case and without
// the dot: "jpg". It returns "" for one with other characters than ASCII letters and digits, or
// with more than 16: the name came from the web.
func Extension(name string) string {
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(strings.TrimLeft(name, ".")), "."))
	if !extensionForm.MatchString(ext) {
		return ""
	}
	return ext
}

// environment returns the complete environment of the program.
func environment(dir string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir, "LC_ALL=C.UTF-8", "TZ=UTC"}
}

// maxFiles is how many files and folders a program may make.
const maxFiles = 20_000

// below returns the total size of all files in a folder, and their number. It ignores files that
// the program removes at the same time. It stops when the size or the number exceeds its limit.
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

// removeAll removes a folder, even if the program removed the permission to do so.
func removeAll(dir string) error {
	if err := os.RemoveAll(dir); err == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(p, 0o700) // errors are reported below
		}
		return nil
	})
	return os.RemoveAll(dir)
}
