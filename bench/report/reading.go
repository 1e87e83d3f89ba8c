package main

import (
	"fmt"
	"io"
	"os"
)

// reading compares programs that read a container.
type reading struct {
	Bytes int64 // of the corpus as stored
	Floor floor
	Quire quire
	Peers []peer
}

// quire is Quire itself on the same bytes.
type quire struct {
	usage
	command []string
}

// floor is the unavoidable work with the fastest libraries, in seconds of processor time.
type floor struct{ Inflate, SHA1, SHA512, Total float64 }

func measureReading(o options) (reading, error) {
	r := reading{Quire: quire{command: []string{o.quire, "inspect", o.corpus}}, Peers: findPeers(o)}
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
		for i := range r.Peers {
			r.Peers[i].measure(r.Floor.Inflate)
		}
	}
	return r, nil
}

func (q *quire) measure() error {
	u, _, err := run(q.command...)
	if err != nil {
		return err
	}
	q.best(u)
	return nil
}

// toNowhere redirects a command's output to /dev/null, as the floor does. A pipe would add the cost
// of draining it.
func toNowhere(command ...string) []string {
	return append([]string{"sh", "-c", `exec "$@" >/dev/null`, "sh"}, command...)
}

// parseFloor reads the output of the floor script.
func parseFloor(text string) (f floor, err error) {
	if _, err := fmt.Sscanf(text, "inflate %f sha1 %f (twice) sha512 %f\nfloor_cpu_s %f", &f.Inflate, &f.SHA1,
		&f.SHA512, &f.Total); err != nil {
		return floor{}, fmt.Errorf("the floor script printed %q: %w", text, err)
	}
	return f, nil
}

// warm reads a file into the page cache and returns its size in bytes.
func warm(name string) (int64, error) {
	file, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }() // read only
	return io.Copy(io.Discard, file)
}
