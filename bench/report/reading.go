package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// reading compares what reads a container.
type reading struct {
	Bytes  int64 // of the corpus as stored
	Floor  floor
	Quire  reader
	Others []reader
	Absent []string
}

// reader is a program that reads a container to its end.
type reader struct {
	Name, Does string
	usage
	command []string
}

// floor is the work that nobody can leave out, by the fastest there is: seconds of processor time.
type floor struct{ Inflate, SHA1, SHA512, Total float64 }

func measureReading(o options) (reading, error) {
	r := reading{Quire: reader{Name: "`quire inspect`", Does: "structure, HTTP, every digest, SHA-512 of the file, counts",
		command: []string{o.quire, "inspect", o.corpus}}}
	r.Others, r.Absent = peers(o)
	var err error
	if r.Bytes, err = warm(o.corpus); err != nil {
		return r, err
	}
	for range o.rounds {
		u, out, err := run("bash", o.floor, o.corpus)
		if err != nil {
			return r, err
		}
		f, err := parseFloor(string(out))
		if err != nil {
			return r, fmt.Errorf("%w, after %.1f s", err, u.Wall)
		}
		if r.Floor.Total == 0 || f.Total < r.Floor.Total {
			r.Floor = f
		}
		if err := r.Quire.measure(); err != nil {
			return r, err
		}
		for i := range r.Others {
			if err := r.Others[i].measure(); err != nil {
				return r, err
			}
		}
	}
	return r, nil
}

func (r *reader) measure() error {
	u, _, err := run(r.command...)
	if err != nil {
		return err
	}
	r.best(u)
	return nil
}

// peers are the readers that are installed, and a line on each that is not.
func peers(o options) (found []reader, absent []string) {
	java, _ := filepath.Glob(filepath.Join(o.peers, "java", "jwarc-*.jar")) // the pattern is well formed
	jar := "no jwarc-*.jar in " + filepath.Join(o.peers, "java")
	if len(java) > 0 {
		jar = java[0]
	}
	for _, p := range []struct {
		file string
		reader
	}{
		{"libdeflate-gunzip", reader{Name: "`libdeflate-gunzip -c`", Does: "inflates, CRC-32", command: toNowhere("libdeflate-gunzip", "-c", o.corpus)}},
		{"gzip", reader{Name: "`gzip -t`", Does: "inflates, CRC-32", command: []string{"gzip", "-t", o.corpus}}},
		{filepath.Join(o.peers, "venv", "bin", "warcio"), reader{Name: "`warcio check`", Does: "structure, block and payload digests",
			command: []string{filepath.Join(o.peers, "venv", "bin", "warcio"), "check", o.corpus}}},
		{jar, reader{Name: "`jwarc validate`", Does: "structure, HTTP, block and payload digests",
			command: []string{"java", "-cp", jar, "org.netpreserve.jwarc.tools.WarcTool", "validate", o.corpus}}},
	} {
		_, err := exec.LookPath(p.command[0])
		if err == nil && filepath.Base(p.file) != p.file {
			_, err = os.Stat(p.file)
		}
		if err != nil {
			absent = append(absent, p.Name)
			continue
		}
		found = append(found, p.reader)
	}
	return found, absent
}

// toNowhere lets a command write to /dev/null, as the floor does: a pipe would add the cost of draining it.
func toNowhere(command ...string) []string {
	return append([]string{"sh", "-c", `exec "$@" >/dev/null`, "sh"}, command...)
}

// parseFloor reads what the script prints.
func parseFloor(text string) (f floor, err error) {
	if _, err := fmt.Sscanf(text, "inflate %f sha1 %f (twice) sha512 %f\nfloor_cpu_s %f", &f.Inflate, &f.SHA1, &f.SHA512, &f.Total); err != nil {
		return floor{}, fmt.Errorf("the floor script printed %q: %w", text, err)
	}
	return f, nil
}

// warm reads a file into the page cache, and returns its size in bytes.
func warm(name string) (int64, error) {
	file, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }() // it was only read
	return io.Copy(io.Discard, file)
}
