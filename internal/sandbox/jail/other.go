//go:build !linux || !(amd64 || arm64)

package jail

import (
	"errors"
	"os"
	"runtime"
)

const system = runtime.GOOS + ", " + runtime.GOARCH

// Exists reports whether jails exist on this system.
const Exists = false

// Command is never called here: see Here.
func (c *Cell) Command([]string, *os.File) (string, []string, []*os.File, error) {
	return "", nil, nil, errors.New("no jail on " + system)
}

// Here reports that jails do not exist on this system.
func Here() Report {
	return Report{Lacks: []string{"everything but the time and what is written: there is no jail on " + system}}
}
